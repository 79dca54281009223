/* The lines of a "stats" answer, kept until the whole of it has been read: their reader may
 * allocate, fail or jump away, which must not happen between two reads of a stream. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STAT_LINES_H
#define MCP_STORE_STAT_LINES_H

#include "../buffer.h"
#include "../store.h"

/* False if there is no memory. */
bool mcp_stat_lines_add(mcp_buffer *lines, mcp_bytes name, mcp_bytes value);
void mcp_stat_lines_visit(const mcp_buffer *lines, mcp_stat_visitor visit, void *context);

/* False if there is no such line, or it holds no number. */
bool mcp_stat_lines_number(const mcp_buffer *lines, const char *name, uint64_t *number);

/* Says when the server process started: its "time" less its "uptime". memcached makes both of one reading of one
 * clock, so the difference never changes while the process lives. False if lines are missing, or they are a proxy's
 * own. */
bool mcp_stat_lines_started_us(const mcp_buffer *lines, uint64_t *started_us);

#endif
