/* A change that finds its key changed by another caller starts again, a bounded number of times. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_CONTENTION_H
#define MCP_PATTERNS_CACHE_CONTENTION_H

#include "../cache.h"

/* How often a protocol starts again when other writers keep coming first, before it gives up. Each
 * round means that another writer made progress. */
#define MCP_CACHE_ROUNDS_MAX 64

/* Other writers of the key, met by one change that starts again when they come first. Zero-initialised:
 * none so far. */
typedef struct mcp_contention {
	int met;
	mcp_backoff backoff;
} mcp_contention;

/* Says whether a change that came to `status` is to be tried once more: MCP_EXISTS is a lost race. Sleeps
 * before it says yes, so that callers who met spread out. */
bool mcp_cache_may_try_again(const mcp_cache *cache, mcp_contention *contention, mcp_status status);

/* Says it without a pause. */
bool mcp_cache_may_try_at_once(mcp_contention *contention, mcp_status status);

#endif
