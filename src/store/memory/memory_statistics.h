/* The statistics of a memcached in process memory, under the names of memcached's "stats" (doc/protocol.txt,
 * section "Statistics"). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_STATISTICS_H
#define MCP_STORE_MEMORY_STATISTICS_H

#include "../store.h"

typedef enum mcp_memory_statistic {
	MCP_MEMORY_CMD_GET,
	MCP_MEMORY_CMD_SET,
	MCP_MEMORY_CMD_FLUSH,
	MCP_MEMORY_CMD_TOUCH,
	MCP_MEMORY_GET_HITS,
	MCP_MEMORY_GET_MISSES,
	MCP_MEMORY_DELETE_HITS,
	MCP_MEMORY_DELETE_MISSES,
	MCP_MEMORY_INCR_HITS,
	MCP_MEMORY_INCR_MISSES,
	MCP_MEMORY_DECR_HITS,
	MCP_MEMORY_DECR_MISSES,
	MCP_MEMORY_CAS_HITS,
	MCP_MEMORY_CAS_MISSES,
	MCP_MEMORY_CAS_BADVAL,
	MCP_MEMORY_TOUCH_HITS,
	MCP_MEMORY_TOUCH_MISSES,
	MCP_MEMORY_TOTAL_ITEMS,
	MCP_MEMORY_STATISTICS /* how many there are */
} mcp_memory_statistic;

typedef struct mcp_memory_statistics {
	uint64_t counts[MCP_MEMORY_STATISTICS];
} mcp_memory_statistics;

/* Tells one line, its value a decimal number. */
void mcp_memory_statistics_tell(const char *name, uint64_t value, mcp_stat_visitor visit,
	void *context);
/* Visits with a line for each count. */
void mcp_memory_statistics_visit(const mcp_memory_statistics *statistics, mcp_stat_visitor visit,
	void *context);

#endif
