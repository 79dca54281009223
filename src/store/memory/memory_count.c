/* One walk for both directions: find, read, change, keep. */
/* SPDX-License-Identifier: MIT */
#include "memory_count.h"

#include "memory_number.h"

/* A direction's names, and what it makes of a number. */
typedef struct direction {
	mcp_memory_statistic misses, hits;
	uint64_t (*change)(uint64_t number, uint64_t by);
} direction;

static uint64_t add(uint64_t number, uint64_t by) {
	return number + by;
}

static uint64_t subtract(uint64_t number, uint64_t by) {
	return number > by ? number - by : 0;
}

static mcp_status count(mcp_memory_server *server, const mcp_key *key, uint64_t by,
	uint64_t *number, const direction *way) {
	if (!mcp_key_may_be_sent(key)) {
		return MCP_BAD_KEY;
	}
	mcp_memory_item *item = mcp_memory_server_find(server, key);
	if (item == NULL) {
		mcp_memory_server_tally(server, way->misses);
		return MCP_NOT_FOUND;
	}
	uint64_t old = 0;
	if (!mcp_memory_number_parse(mcp_memory_item_value(item), &old)) {
		return MCP_NOT_A_NUMBER;
	}
	mcp_memory_server_tally(server, way->hits);
	*number = way->change(old, by);
	bool is_kept = mcp_memory_server_keep_number(server, key, item, *number);
	return is_kept ? MCP_OK : MCP_REFUSED;
}

mcp_status mcp_memory_count_up(mcp_memory_server *server, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	static const direction up = {MCP_MEMORY_INCR_MISSES, MCP_MEMORY_INCR_HITS, add};
	return count(server, key, by, number, &up);
}

mcp_status mcp_memory_count_down(mcp_memory_server *server, const mcp_key *key, uint64_t by,
	uint64_t *number) {
	static const direction down = {MCP_MEMORY_DECR_MISSES, MCP_MEMORY_DECR_HITS, subtract};
	return count(server, key, by, number, &down);
}
