/* Tells the counts of a memcached in process memory by memcached's own names, one line each, as a
 * real server's "stats" would. */
/* SPDX-License-Identifier: MIT */
#include "memory_statistics.h"

#include "../../core/decimal.h"

static const char *const names[MCP_MEMORY_STATISTICS] = {
	[MCP_MEMORY_CMD_GET] = "cmd_get",
	[MCP_MEMORY_CMD_SET] = "cmd_set",
	[MCP_MEMORY_CMD_FLUSH] = "cmd_flush",
	[MCP_MEMORY_CMD_TOUCH] = "cmd_touch",
	[MCP_MEMORY_GET_HITS] = "get_hits",
	[MCP_MEMORY_GET_MISSES] = "get_misses",
	[MCP_MEMORY_DELETE_HITS] = "delete_hits",
	[MCP_MEMORY_DELETE_MISSES] = "delete_misses",
	[MCP_MEMORY_INCR_HITS] = "incr_hits",
	[MCP_MEMORY_INCR_MISSES] = "incr_misses",
	[MCP_MEMORY_DECR_HITS] = "decr_hits",
	[MCP_MEMORY_DECR_MISSES] = "decr_misses",
	[MCP_MEMORY_CAS_HITS] = "cas_hits",
	[MCP_MEMORY_CAS_MISSES] = "cas_misses",
	[MCP_MEMORY_CAS_BADVAL] = "cas_badval",
	[MCP_MEMORY_TOUCH_HITS] = "touch_hits",
	[MCP_MEMORY_TOUCH_MISSES] = "touch_misses",
	[MCP_MEMORY_TOTAL_ITEMS] = "total_items",
};

void mcp_memory_statistics_tell(const char *name, uint64_t value, mcp_stat_visitor visit,
	void *context) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	size_t length = mcp_decimal_format_u64(value, digits);
	visit(context, mcp_bytes_of(name, strlen(name)), mcp_bytes_of(digits, length));
}

void mcp_memory_statistics_visit(const mcp_memory_statistics *statistics, mcp_stat_visitor visit,
	void *context) {
	for (size_t i = 0; i < MCP_MEMORY_STATISTICS; i++) {
		mcp_memory_statistics_tell(names[i], statistics->counts[i], visit, context);
	}
}
