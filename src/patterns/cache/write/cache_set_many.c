/* Many plain sets in one batch. Each has its own epoch, like a single set. */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_envelope.h"
#include "cache_write.h"

#include <stdlib.h>

/* Memory of a batch. A record's head is a view into it. */
typedef struct batch {
	mcp_op writes[MCP_CACHE_BATCH_MAX];
	mcp_cache_record records[MCP_CACHE_BATCH_MAX];
	char headers[];
} batch;

/* `header`: the size of each header. `by` is the index of a write's setting. */
static void set_batch(const mcp_cache *cache, mcp_cache_setting *settings, size_t count,
	batch *memory, size_t header) {
	uint64_t now_ms = mcp_wall_ms(cache->environment); /* one clock reading for the whole batch */
	size_t writes = 0;
	for (size_t i = 0; i < count; i++) {
		mcp_cache_setting *setting = &settings[i];
		if (setting->status == MCP_NOT_STORED) {
			continue;
		}
		if (!mcp_cache_fits(cache, &setting->key, &setting->value)) {
			setting->status = MCP_TOO_LARGE;
			continue;
		}
		mcp_cache_record *record = &memory->records[writes];
		record->header = memory->headers + writes * header;
		mcp_cache_compose_value(cache, &setting->key, &setting->value, &now_ms, record);
		mcp_op_begin(&memory->writes[writes], MCP_OP_SET, &setting->key, &record->record);
		memory->writes[writes++].by = i;
	}
	mcp_store_run_all(cache->store, memory->writes, writes);
	for (size_t i = 0; i < writes; i++) {
		mcp_cache_setting *setting = &settings[memory->writes[i].by];
		setting->status =
			mcp_cache_finish_write(cache, &setting->key, memory->writes[i].status, now_ms);
	}
}

void mcp_cache_set_many(const mcp_cache *cache, mcp_cache_setting *settings, size_t count) {
	size_t header = mcp_cache_header_size_max(&settings->value.tags, sizeof(*settings), count);
	batch *memory = count > 1 && !mcp_store_sees_each_change(cache->store)
		? malloc(sizeof(*memory) + MCP_CACHE_BATCH_MAX * header)
		: NULL;
	for (size_t i = 0; memory == NULL && i < count; i++) {
		if (settings[i].status != MCP_NOT_STORED) {
			settings[i].status = mcp_cache_set(cache, &settings[i].key, &settings[i].value);
		}
	}
	for (size_t i = 0; memory != NULL && i < count; i += MCP_CACHE_BATCH_MAX) {
		size_t left = count - i;
		set_batch(cache, settings + i, left < MCP_CACHE_BATCH_MAX ? left : MCP_CACHE_BATCH_MAX,
			memory, header);
	}
	free(memory);
}
