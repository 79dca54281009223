/* An array that grows: libmemcached keeps no pointer to a result between two calls, so that they may move; their
 * values do not. */
/* SPDX-License-Identifier: MIT */
#include "wire_results.h"

#include "../core/compiler.h"
#include "buffer.h"

#include <stdint.h>
#include <stdlib.h>

void mcp_wire_result_trim(memcached_result_st *result, memcached_st *handle) {
	if (result->value.current_size > MCP_BUFFER_KEPT_MAX) {
		memcached_result_free(result);
		memcached_result_create(handle, result);
	}
}

static bool resize(mcp_wire_results *results, size_t room) {
	if (room > SIZE_MAX / sizeof(*results->all)) {
		return false;
	}
	memcached_result_st *all = realloc(results->all, room * sizeof(*all));
	if (all == NULL) {
		return false;
	}
	results->all = all;
	results->room = room;
	return true;
}

static void drop_last(mcp_wire_results *results) {
	memcached_result_st *last = &results->all[--results->made];
	results->held_bytes -= sizeof(*last) + last->value.current_size;
	memcached_result_free(last);
}

/* Those that are left are used again; to free them all would have each large call allocate each anew. */
void mcp_wire_results_trim(mcp_wire_results *results) {
	if (results->held_bytes <= MCP_BUFFER_KEPT_MAX) {
		return;
	}
	results->used = 0;
	while (results->held_bytes > MCP_BUFFER_KEPT_MAX) {
		drop_last(results);
	}
	if (results->made == 0) {
		mcp_wire_results_free(results);
	} else {
		resize(results, results->made);
	}
}

bool mcp_wire_results_expect(mcp_wire_results *results, size_t count, bool is_further) {
	if (!is_further) {
		mcp_wire_results_trim(results);
		results->used = 0;
	}
	results->limit = results->used + count;
	results->has_put_back = false;
	/* One more: what ends the answers is read into it, or an item too many. */
	return results->limit < results->room || resize(results, results->limit + 1);
}

MCP_SELDOM void mcp_wire_results_make(mcp_wire_results *results, memcached_st *handle) {
	memcached_result_create(handle, &results->all[results->made++]);
	results->held_bytes += sizeof(*results->all);
}

void mcp_wire_results_free(mcp_wire_results *results) {
	while (results->made > 0) {
		drop_last(results);
	}
	free(results->all);
	*results = (mcp_wire_results){0};
}
