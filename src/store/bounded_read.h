/* The reads whose answers come in many parts, a get_many and statistics: each part is waited for, and
 * the whole is bounded too, as far as a wire lets it be. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_BOUNDED_READ_H
#define MCP_STORE_BOUNDED_READ_H

#include "multi_get.h"
#include "wire.h"

/* An answer may take a timeout, and one more for each of these: a server that is slower than that is
 * as good as silent, however regularly its bytes drip. */
#define MCP_BOUNDED_READ_BYTES_PER_TIMEOUT 65536

typedef struct mcp_bounded_read {
	mcp_wire *wire;
	const mcp_environment *environment;
	uint32_t timeout_ms;
} mcp_bounded_read;

/* One try each; statuses are the wire's. */

/* The request that is planned in `many`, which has that many names. */
mcp_status mcp_bounded_read_ask(const mcp_bounded_read *reading, mcp_multi_get *many, size_t names);
/* All lines of "stats", or of one kind of them, for stat_lines.h. MCP_PROTOCOL when they do not end. */
mcp_status mcp_bounded_read_stats(const mcp_bounded_read *reading, const char *kind,
	mcp_buffer *lines);

/* How long an answer of so many bytes may take, on the whole. */
uint64_t mcp_bounded_read_allowed_ms(const mcp_bounded_read *reading, size_t bytes);

#endif
