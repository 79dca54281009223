/* Growing array of libmemcached's results. The array can move, because libmemcached does not keep pointers to results
 * between calls. The values do not move. */
/* SPDX-License-Identifier: MIT */
#include "wire_results.h"

#include "../../../core/compiler.h"

#include <stdint.h>
#include <stdlib.h>

void mcp_wire_result_trim(mcp_wire_result *result, memcached_st *handle) {
	if (result->it.value.current_size > MCP_BUFFER_KEPT_MAX) {
		memcached_result_free(&result->it);
		memcached_result_create(handle, &result->it);
	}
}

/* If the overwritten options marked the result as allocated, a failed fetch has freed its value, but not the result
 * itself (wire_libmemcached_line.c). */
MCP_SELDOM void mcp_wire_result_mend(mcp_wire_result *result, memcached_st *handle,
	const memcached_result_st *fetched) {
	bool was_freed = fetched == NULL && result->it.options.is_allocated;
	result->it.options.is_allocated = false;
	result->it.options.is_initialized = true;
	if (was_freed) {
		memcached_result_create(handle, &result->it);
	}
	result->it.value.end = result->it.value.string;
	result->it.key_length = 0;
}

static bool resize(mcp_wire_results *results, size_t capacity) {
	if (capacity > SIZE_MAX / sizeof(*results->all)) {
		return false;
	}
	mcp_wire_result *all = realloc(results->all, capacity * sizeof(*all));
	if (all == NULL) {
		return false;
	}
	results->all = all;
	results->capacity = capacity;
	return true;
}

static void drop_last(mcp_wire_results *results) {
	mcp_wire_result *last = &results->all[--results->made];
	results->held_bytes -= sizeof(*last) + last->it.value.current_size;
	memcached_result_free(&last->it);
}

/* Keep some results, because otherwise each large call would allocate all results again. */
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
	/* One more result for the end of the reply, or for a surplus item. */
	return results->limit < results->capacity || resize(results, results->limit + 1);
}

MCP_SELDOM void mcp_wire_results_make(mcp_wire_results *results, memcached_st *handle) {
	memcached_result_create(handle, &results->all[results->made++].it);
	results->held_bytes += sizeof(*results->all);
}

void mcp_wire_results_free(mcp_wire_results *results) {
	while (results->made > 0) {
		drop_last(results);
	}
	free(results->all);
	*results = (mcp_wire_results){0};
}
