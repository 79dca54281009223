/* Storing in the place of what was just found, and reading back what became of a write without an answer. */
/* SPDX-License-Identifier: MIT */
#include "cache_store_over.h"

#include "../entry/cache_envelope.h"

mcp_status mcp_cache_settle_epoch(const mcp_cache *cache, const mcp_key *key, uint64_t epoch) {
	mcp_cache_entry entry;
	mcp_store_bypass_breaker(cache->store, key, MCP_BYPASS_TO_RESOLVE);
	mcp_cache_fetch(cache, key, &entry);
	bool is_ours = entry.trouble == MCP_OK && !entry.is_absent && !entry.is_unreadable &&
		entry.envelope.epoch == epoch;
	return is_ours ? MCP_OK : MCP_UNKNOWN;
}

mcp_status mcp_cache_store_over(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, const mcp_cache_entry *before) {
	mcp_envelope envelope = mcp_cache_envelope_of(cache, key, value);
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_cache_compose_new(cache, key, &record, &envelope, value->payload, value->flags);
	mcp_status status = before->is_absent
		? mcp_store_add(cache->store, key, &record.record)
		: mcp_store_cas(cache->store, key, &record.record, before->cas);
	if (status == MCP_UNKNOWN) {
		return mcp_cache_settle_epoch(cache, key, envelope.epoch);
	}
	bool is_lost = status == MCP_NOT_STORED || status == MCP_NOT_FOUND;
	return is_lost ? MCP_EXISTS : status;
}
