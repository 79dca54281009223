/* How a plain write ends: what many of them at once have in common with one. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_WRITE_H
#define MCP_PATTERNS_CACHE_WRITE_H

#include "../cache.h"

/* Counts what a write came to that began at `at_ms`. Given up is not stored. */
mcp_status mcp_cache_finish_write(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms);

/* Returns how much memory the longest header of these values takes. */
size_t mcp_cache_header_room(const mcp_cache_setting *settings, size_t count);

/* Counts what a delete came to. Absent is gone. */
mcp_status mcp_cache_finish_delete(const mcp_cache *cache, const mcp_key *key, mcp_status status);

#endif
