/* How a plain write ends: what many of them at once have in common with one. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_WRITE_CACHE_WRITE_H
#define MCP_PATTERNS_CACHE_WRITE_CACHE_WRITE_H

#include "../cache.h"
#include "../entry/cache_envelope.h"

/* Counts what a write came to that began at `at_ms`. Given up is not stored. */
mcp_status mcp_cache_finish_write(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms);

/* Returns how much memory the longest header of these values takes. */
size_t mcp_cache_header_room(const mcp_cache_setting *settings, size_t count);

/* Storing in the place of what was just found, and reading back what became of a write without an answer. */

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

/* Reads the key after a write whose answer did not come: the epoch is random, so finding it tells that the write was
 * carried out. MCP_OK or MCP_UNKNOWN. */
mcp_status mcp_cache_settle_epoch(const mcp_cache *cache, const mcp_key *key, uint64_t epoch);

#endif
