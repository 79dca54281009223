/* Functions that writes of one key and of many keys share. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_WRITE_CACHE_WRITE_H
#define MCP_PATTERNS_CACHE_WRITE_CACHE_WRITE_H

#include "../cache.h"
#include "../entry/cache_envelope.h"

/* Count the outcome of a write that began at `at_ms`. An abandoned write is not stored. */
mcp_status mcp_cache_finish_write(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms);

/* --- stores over an entry, and verification of a write without a reply --- */

/* Compose the record of a value under a new epoch. `batch_ms`: the time of a batch. NULL: read the clock. */
static inline mcp_envelope mcp_cache_compose_value(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, const uint64_t *batch_ms, mcp_cache_record *record) {
	uint64_t now_ms = batch_ms != NULL ? *batch_ms : mcp_wall_ms(cache->environment);
	mcp_envelope envelope = mcp_cache_new_envelope(cache, key, now_ms, value->lifetime);
	envelope.has_value = true;
	envelope.compute_ms = value->compute_ms;
	envelope.tags = value->tags;
	envelope.signer = value->signer;
	if (value->cap_ms != 0) {
		mcp_cache_cap(&envelope, value->cap_ms);
	}
	mcp_cache_compose_new(cache, key, record, &envelope, value->payload, value->flags);
	return envelope;
}

/* Read the key after a write without a reply. If the write's random epoch is found, the write was
 * executed. MCP_OK or MCP_UNKNOWN. */
mcp_status mcp_cache_resolve_epoch(const mcp_cache *cache, const mcp_key *key, uint64_t epoch);

#endif
