/* How a plain write ends: what many of them at once have in common with one. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_WRITE_H
#define MCP_PATTERNS_CACHE_WRITE_H

#include "../cache.h"

/* Counts what a write came to that began at `at_ms`. Given up is not stored. */
mcp_status mcp_cache_finish_write(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms);

/* Counts what a delete came to. Absent is gone. */
mcp_status mcp_cache_finish_delete(const mcp_cache *cache, const mcp_key *key, mcp_status status);

#endif
