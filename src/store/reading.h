/* The reads whose answers come in many parts, a get_many and statistics: each part is waited for, and
 * the whole is bounded too, as far as libmemcached lets it be. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_READING_H
#define MCP_STORE_READING_H

#include "asking.h"
#include "wire.h"

typedef struct mcp_reading {
	mcp_wire *wire;
	const mcp_environment *environment;
	uint32_t timeout_ms;
} mcp_reading;

/* One try each; statuses are the wire's. */

/* The request that is planned in `asking`, which has that many names. */
mcp_status mcp_reading_ask(const mcp_reading *reading, mcp_asking *asking, size_t names);
/* All lines of "stats", for stat_lines.h. */
mcp_status mcp_reading_stats(const mcp_reading *reading, mcp_buffer *lines);

#endif
