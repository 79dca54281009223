/* The world of the guarded caches' tests: short words for what two hosts do to one key, or to many, each with what it
 * has noted. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_GUARDED_WORLD_H
#define MCP_TESTS_PATTERNS_GUARDED_WORLD_H

#include "../../src/patterns/cache/guarded/cache_guarded.h"
#include "cache_world.h"

#define HOLDOFF_MS 2000u

/* Notes of the key: this host's, and its rival's. */
static mcp_read_stamp note, rivals_note;

static inline int open_guarded_world(void **state) {
	note = rivals_note = (mcp_read_stamp){.state = MCP_READ_STAMP_NONE};
	return open_cache_world(state);
}

#define GUARDED_TEST(name, w) TEST_OF(cache_world, name, w, open_guarded_world, close_cache_world)

/* Looks as get does. */
static inline mcp_verdict look_by(mcp_cache *cache, cache_world *w, mcp_read_stamp *noted) {
	mcp_cache_entry entry;
	mcp_cache_get(cache, &w->key, &entry);
	mcp_cache_guarded_stamp(cache, &w->key, &entry, noted);
	return entry.verdict;
}

static inline mcp_verdict look(cache_world *w) {
	return look_by(&w->cache, w, &note);
}

static inline void rival_looks(cache_world *w) {
	look_by(&w->rival, w, &rivals_note);
}

static inline mcp_status store(cache_world *w, const char *text) {
	mcp_cache_value value = text_value(text);
	return mcp_cache_guarded_set(&w->cache, &w->key, &value, HOLDOFF_MS, &note);
}

static inline mcp_status rival_stores(cache_world *w, const char *text) {
	mcp_cache_value value = text_value(text);
	return mcp_cache_guarded_set(&w->rival, &w->key, &value, HOLDOFF_MS, &rivals_note);
}

static inline void rival_fills(cache_world *w) {
	rivals_note = (mcp_read_stamp){.state = MCP_READ_STAMP_NONE};
	rival_looks(w);
	rival_stores(w, "rival's");
}

static inline bool is_a_contested_mark(cache_world *w) {
	mcp_envelope envelope = stored_envelope(w);
	return envelope.is_contested && !envelope.has_value && !envelope.has_claim;
}

static inline bool is_gone(cache_world *w) {
	return world_peek(&w->world, "k") == NULL;
}

/* Says whether what stands there is shown until the holdoff has passed and no longer. */
static inline bool is_capped(cache_world *w) {
	mcp_envelope envelope = stored_envelope(w);
	return envelope.soft_ms == envelope.created_ms + HOLDOFF_MS &&
		envelope.hard_ms == envelope.soft_ms + 10 * TTL_MS;
}

enum { MANY = 3 };

typedef struct many_keys {
	mcp_key_buffer buffers[MANY], sides[MANY];
	mcp_key keys[MANY], scratch[2 * MANY];
	mcp_cache_entry entries[MANY];
	mcp_op replies[2 * MANY];
	mcp_read_stamp notes[MANY];
	mcp_read_stamp *places[MANY];
	mcp_cache_batch batch;
} many_keys;

static inline void begin_many(many_keys *many) {
	static const char *const names[MANY] = {"k", "k1", "k2"};
	memset(many, 0, sizeof(*many));
	for (int i = 0; i < MANY; i++) {
		many->keys[i] = world_key(&many->buffers[i], MCP_SPACE_CACHE, names[i]);
		many->places[i] = &many->notes[i];
	}
	many->batch = (mcp_cache_batch){many->keys, MANY, many->entries, many->replies, many->scratch,
		many->sides, NULL, NULL};
}

static inline void look_at_many(cache_world *w, many_keys *many) {
	mcp_cache_read_many(&w->cache, &many->batch);
	mcp_cache_guarded_stamp_many(&w->cache, &many->batch, many->places);
}

static inline mcp_cache_setting *store_many(cache_world *w, many_keys *many, const char *text) {
	static mcp_cache_setting settings[MANY];
	for (int i = 0; i < MANY; i++) {
		settings[i] = (mcp_cache_setting){.key = many->keys[i], .value = text_value(text)};
	}
	mcp_cache_guarded_set_many(&w->cache, settings, many->places, MANY, HOLDOFF_MS);
	return settings;
}

#endif
