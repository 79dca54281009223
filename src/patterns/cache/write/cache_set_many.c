/* Many plain sets in one batch. Each has its own epoch, like a single set. */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_envelope.h"
#include "cache_write.h"

#include <stdlib.h>

/* The writes of one batch. A record's head is a view into the batch. */
typedef struct batch {
	uint64_t now_ms; /* one clock reading for the whole batch */
	size_t count;
	size_t places[MCP_CACHE_BATCH_MAX];
	mcp_op writes[MCP_CACHE_BATCH_MAX];
	mcp_cache_record records[MCP_CACHE_BATCH_MAX];
	size_t header_size_max;
	char headers[]; /* header_size_max for each write */
} batch;

static void compose_write(const mcp_cache *cache, const mcp_cache_setting *setting, batch *to) {
	mcp_cache_record *record = &to->records[to->count];
	*record = (mcp_cache_record){.header = to->headers + to->count * to->header_size_max};
	mcp_cache_compose_value(cache, &setting->key, &setting->value, &to->now_ms, record);
	to->writes[to->count++] =
		(mcp_op){.verb = MCP_OP_SET, .key = &setting->key, .record = &record->record};
}

static void set_batch(const mcp_cache *cache, mcp_cache_setting *settings, size_t count,
	batch *batched) {
	batched->now_ms = mcp_wall_ms(cache->environment);
	batched->count = 0;
	for (size_t i = 0; i < count; i++) {
		if (mcp_cache_fits(cache, &settings[i].key, &settings[i].value)) {
			batched->places[batched->count] = i;
			compose_write(cache, &settings[i], batched);
		} else {
			settings[i].status = MCP_TOO_LARGE;
		}
	}
	mcp_store_run_all(cache->store, batched->writes, batched->count);
	for (size_t i = 0; i < batched->count; i++) {
		mcp_cache_setting *setting = &settings[batched->places[i]];
		setting->status = mcp_cache_finish_write(cache, &setting->key, batched->writes[i].status,
			batched->now_ms);
	}
}

static batch *make_batch(size_t header_size_max) {
	batch *batched = malloc(sizeof(*batched) + MCP_CACHE_BATCH_MAX * header_size_max);
	if (batched != NULL) {
		batched->header_size_max = header_size_max;
	}
	return batched;
}

void mcp_cache_set_many(const mcp_cache *cache, mcp_cache_setting *settings, size_t count) {
	batch *batched = count > 1 && !mcp_store_sees_each_change(cache->store)
		? make_batch(mcp_cache_header_size_max(&settings->value.tags, sizeof(*settings), count))
		: NULL;
	for (size_t i = 0; batched == NULL && i < count; i++) {
		settings[i].status = mcp_cache_set(cache, &settings[i].key, &settings[i].value);
	}
	for (size_t i = 0; batched != NULL && i < count; i += MCP_CACHE_BATCH_MAX) {
		size_t left = count - i;
		set_batch(cache, settings + i, left < MCP_CACHE_BATCH_MAX ? left : MCP_CACHE_BATCH_MAX,
			batched);
	}
	free(batched);
}
