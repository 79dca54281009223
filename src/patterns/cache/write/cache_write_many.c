/* Many plain writes at once: each is what it would be alone, with an epoch of its own. */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_ends.h"
#include "../entry/cache_envelope.h"
#include "cache_store_over.h"
#include "cache_write.h"

#include <stdlib.h>

/* The writes that are sent together. A record's head is a view into it. */
typedef struct batch {
	uint64_t now_ms; /* of all of it: one look at the clock */
	size_t count;
	size_t places[MCP_CACHE_BATCH_MAX];
	mcp_write writes[MCP_CACHE_BATCH_MAX];
	size_t header_room;
	char headers[]; /* header_room for each write */
} batch;

/* Says whether the store learns what is being changed from the call before each. */
static bool is_told_of_each(const mcp_cache *cache) {
	return cache->store->operations->begin_change != NULL;
}

static void compose(const mcp_cache *cache, const mcp_cache_setting *setting, batch *to) {
	mcp_cache_record record = {.header = to->headers + to->count * to->header_room};
	const mcp_cache_value *value = &setting->value;
	mcp_envelope envelope = mcp_cache_envelope_at(cache, &setting->key, value, to->now_ms);
	mcp_cache_compose_new(cache, &setting->key, &record, &envelope, value->payload, value->flags);
	to->writes[to->count++] = (mcp_write){.key = setting->key, .record = record.record};
}

static void set_batch(const mcp_cache *cache, mcp_cache_setting *settings, size_t count,
	batch *room) {
	room->now_ms = mcp_wall_ms(cache->environment);
	room->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (mcp_cache_fits(cache, &settings[i].key, &settings[i].value)) {
			room->places[room->count] = i;
			compose(cache, &settings[i], room);
		} else {
			settings[i].status = MCP_TOO_LARGE;
		}
	}
	mcp_store_set_many(cache->store, room->writes, room->count);
	for (size_t i = 0; i < room->count; i++) {
		mcp_cache_setting *setting = &settings[room->places[i]];
		setting->status =
			mcp_cache_finish_write(cache, &setting->key, room->writes[i].status, room->now_ms);
	}
}

size_t mcp_cache_header_room(const mcp_cache_setting *settings, size_t count) {
	size_t most = mcp_envelope_room(mcp_bytes_none());
	for (size_t i = 0; i < count; i++) {
		size_t room = mcp_envelope_room(settings[i].value.tags);
		most = room > most ? room : most;
	}
	return most;
}

static batch *make_room(size_t header_room) {
	batch *room = malloc(sizeof(*room) + MCP_CACHE_BATCH_MAX * header_room);
	if (room != NULL) {
		room->header_room = header_room;
	}
	return room;
}

void mcp_cache_set_many(const mcp_cache *cache, mcp_cache_setting *settings, size_t count) {
	batch *room = count > 1 && !is_told_of_each(cache)
		? make_room(mcp_cache_header_room(settings, count))
		: NULL;
	for (size_t i = 0; room == NULL && i < count; i++) {
		settings[i].status = mcp_cache_set(cache, &settings[i].key, &settings[i].value);
	}
	for (size_t i = 0; room != NULL && i < count; i += MCP_CACHE_BATCH_MAX) {
		size_t left = count - i;
		set_batch(cache, settings + i, left < MCP_CACHE_BATCH_MAX ? left : MCP_CACHE_BATCH_MAX,
			room);
	}
	free(room);
}

void mcp_cache_delete_many(const mcp_cache *cache, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	if (is_told_of_each(cache)) {
		for (size_t i = 0; i < count; i++) {
			statuses[i] = mcp_cache_delete(cache, &keys[i]);
		}
		return;
	}
	mcp_store_delete_many(cache->store, keys, count, statuses);
	for (size_t i = 0; i < count; i++) {
		statuses[i] = mcp_cache_finish_delete(cache, &keys[i], statuses[i]);
	}
}
