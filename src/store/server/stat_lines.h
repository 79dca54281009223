/* Lines of a "stats" reply, kept until the reply is complete. A visitor can allocate, fail or jump, which must not
 * happen between two reads of a stream. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STAT_LINES_H
#define MCP_STORE_STAT_LINES_H

#include "../../core/bytes.h"
#include "../store.h"

/* False: memory exhausted. */
bool mcp_stat_lines_add(mcp_buffer *lines, mcp_bytes name, mcp_bytes value);
void mcp_stat_lines_visit(const mcp_buffer *lines, mcp_stat_visitor visit, void *context);

/* False: the line is missing or not a number. */
bool mcp_stat_lines_number(const mcp_buffer *lines, const char *name, uint64_t *number);

/* Returns the start of the server process: "time" minus "uptime". memcached reads both from one clock, so
 * the difference is constant. False: lines are missing, or a proxy sent them. */
bool mcp_stat_lines_started_us(const mcp_buffer *lines, uint64_t *started_us);

#endif
