/* incr and decr, as memcached does them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_COUNT_H
#define MCP_STORE_MEMORY_COUNT_H

#include "memory_server.h"

/* Wraps at 2^64. *number is what stands there then. */
mcp_status mcp_memory_count_up(mcp_memory_server *server, const mcp_key *key, uint64_t by,
	uint64_t *number);
/* Stops at 0. */
mcp_status mcp_memory_count_down(mcp_memory_server *server, const mcp_key *key, uint64_t by,
	uint64_t *number);

#endif
