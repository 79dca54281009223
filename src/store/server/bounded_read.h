/* The reads whose answers come in many parts, a get_many and statistics: each part is waited for, and
 * the whole is bounded too, as far as a wire lets it be. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_BOUNDED_READ_H
#define MCP_STORE_BOUNDED_READ_H

#include "../wire/deadline.h"
#include "multi_get.h"
#include "../wire/wire.h"

typedef struct mcp_bounded_read {
	mcp_wire *wire;
	const mcp_environment *environment;
	uint32_t timeout_ms;
	/* The times of the request under way, unless the wire bounds the answer: */
	uint64_t asked_ms;
	int64_t left_ms; /* when it was last looked at; < 0: it has had more than its time */
	size_t received; /* bytes of values */
} mcp_bounded_read;

/* One try each; statuses are the wire's. */

/* Sends the request that is planned in `many`; `received` is 0 then. */
mcp_status mcp_bounded_read_ask(mcp_bounded_read *reading, const mcp_multi_get *many);
/* Reads the whole answer to what was asked last, which was MCP_OK. */
mcp_status mcp_bounded_read_hear(mcp_bounded_read *reading, mcp_multi_get *many);
/* Reads all lines of "stats", or of one kind of them, for stat_lines.h. MCP_PROTOCOL if they do not end. */
mcp_status mcp_bounded_read_stats(mcp_bounded_read *reading, const char *kind, mcp_buffer *lines);

#endif
