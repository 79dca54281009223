/* Tags of no pool's prefix, and a key's values through views of them. */
/* SPDX-License-Identifier: MIT */
#include "tags_world.h"

#include "../../src/core/envelope/signature.h"
#include "../../src/core/key/key.h"

#include <string.h>
#include <cmocka.h>

static uint64_t name_of(const char *tag) {
	mcp_bytes name = mcp_bytes_text(tag);
	return mcp_signature_name(NULL, MCP_NAMED_TAG, mcp_bytes_none(), name);
}

/* As many as no test has at once. */
#define TAGS_AT_ONCE 8

mcp_cache_tags tags_of(const char *first, const char *second) {
	static struct { uint64_t fingerprints[2], numbers[2]; } rooms[TAGS_AT_ONCE], *room;
	static unsigned made;
	const char *names[] = {first, second};
	room = &rooms[made++ % TAGS_AT_ONCE];
	mcp_cache_tags tags = {
		.key_count = 1,
		.fingerprints = room->fingerprints,
		.numbers = room->numbers,
	};
	while (tags.count < 2 && names[tags.count] != NULL) {
		room->fingerprints[tags.count] = name_of(names[tags.count]);
		tags.count++;
	}
	return tags;
}

mcp_cache_tags tags_many(unsigned count) {
	static uint64_t fingerprints[MCP_ENVELOPE_TAGS_MAX], numbers[MCP_ENVELOPE_TAGS_MAX];
	for (unsigned i = 0; i < count; i++) {
		fingerprints[i] = 0x1000 + i;
	}
	return (mcp_cache_tags){
		.count = count,
		.key_count = 1,
		.fingerprints = fingerprints,
		.numbers = numbers,
	};
}

mcp_cache tags_view(const cache_world *w, const mcp_cache_tags *tags) {
	mcp_cache cache = w->cache;
	cache.tags = tags;
	return cache;
}

void tags_put(const cache_world *w, const mcp_cache *cache, const char *text) {
	mcp_captured_tags captured;
	assert_int_equal(MCP_OK, mcp_cache_capture_now(cache, &w->key, &captured));
	mcp_cache_value value = text_value(text);
	value.tags = mcp_captured_tags_view(&captured);
	assert_int_equal(MCP_OK, mcp_cache_set(cache, &w->key, &value));
}

void tags_invalidate(cache_world *w, const char *name, bool is_strict) {
	mcp_cache_tags tags = tags_of(name, NULL);
	mcp_status status = mcp_cache_invalidate(&w->rival, mcp_bytes_none(), &tags, is_strict, NULL);
	assert_int_equal(MCP_OK, status);
}

mcp_verdict tags_look(cache_world *w, const mcp_cache *cache) {
	world_watch(&w->world, 0, WORLD_SOUND);
	mcp_cache_read(cache, &w->key, &w->entry);
	return w->entry.verdict;
}

const char *tags_key(const char *name, mcp_key_buffer *buffer) {
	mcp_key_tag(buffer, mcp_bytes_none(), name_of(name), mcp_bytes_none());
	return buffer->bytes;
}
