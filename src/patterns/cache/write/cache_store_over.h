/* Storing in the place of what was just found, and reading back what became of a write without an answer. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_STORE_OVER_H
#define MCP_PATTERNS_CACHE_STORE_OVER_H

#include "../entry/cache_ends.h"

/* Makes the envelope of a value that is stored at `now_ms`. */
static inline mcp_envelope mcp_cache_envelope_at(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint64_t now_ms) {
	mcp_envelope envelope = mcp_cache_new_envelope(cache, key, now_ms, value->lifetime);
	envelope.has_value = true;
	envelope.compute_ms = value->compute_ms;
	envelope.tags = value->tags;
	envelope.signer = value->signer;
	if (value->cap_ms != 0) {
		mcp_cache_cap(&envelope, value->cap_ms);
	}
	return envelope;
}

/* Makes the envelope of a value that is stored now. */
static inline mcp_envelope mcp_cache_envelope_of(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value) {
	return mcp_cache_envelope_at(cache, key, value, mcp_wall_ms(cache->environment));
}

/* Stores under a new epoch in the place of what `before` was just found to be: by add where nothing
 * is, else by cas. MCP_OK, MCP_EXISTS when somebody was faster, or a failure; an unknown outcome has
 * been settled by reading the epoch back where that was possible. */
mcp_status mcp_cache_store_over(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, const mcp_cache_entry *before);

/* Reads the key after a write whose answer did not come: the epoch is random, so finding it tells that the write was
 * carried out. MCP_OK or MCP_UNKNOWN. */
mcp_status mcp_cache_settle_epoch(const mcp_cache *cache, const mcp_key *key, uint64_t epoch);

#endif
