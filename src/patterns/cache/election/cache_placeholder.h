/* The placeholder that stands for a value which is being computed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_PLACEHOLDER_H
#define MCP_PATTERNS_CACHE_PLACEHOLDER_H

#include "../entry/cache_envelope.h"

/* Makes a placeholder in the place of what is there now: the same epoch and election numbers if that is an
 * envelope, so that a rebuild still running under it may be stored. A tombstone stays one. It has no claim yet. */
mcp_envelope mcp_cache_placeholder(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_lifetime lifetime, uint64_t now_ms);

/* Composes one, with a claim, to be added where nothing is. */
void mcp_cache_compose_placeholder(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, const mcp_envelope *envelope, mcp_proof *proof);

#endif
