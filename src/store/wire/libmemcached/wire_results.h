/* Results into which libmemcached reads items, one or many, so that views need no copy. Results and their memory are
 * reused. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_RESULTS_H
#define MCP_STORE_WIRE_RESULTS_H

#include "../../../core/bytes.h"
#include "../../store.h"

#include <libmemcached/memcached.h>
#include <stddef.h>

/* Reads public fields, because function calls for each hit would cost more than all our code. */
static inline mcp_bytes mcp_wire_result_key(const memcached_result_st *result) {
	return mcp_bytes_of(result->item_key, result->key_length);
}

static inline void mcp_wire_result_show(const memcached_result_st *result, mcp_item *item) {
	const memcached_string_st *value = &result->value;
	item->value = mcp_bytes_of(value->string, (size_t)(value->end - value->string));
	item->flags = result->item_flags;
	item->is_suspect = false;
	item->cas = result->item_cas;
}

/* libmemcached accepts a key of any length in lines of up to 350 bytes (its MEMCACHED_DEFAULT_COMMAND_SIZE). The excess
 * is written behind the result's key, over the result's options. */
typedef struct mcp_wire_result {
	memcached_result_st it;
	char spill[128];
} mcp_wire_result;

_Static_assert(sizeof(mcp_wire_result) >= offsetof(memcached_result_st, item_key) + 350,
	"a whole line has room");

/* Detects an overlong key, or a length for which libmemcached's own sum overflows. */
static inline bool mcp_wire_result_is_spoilt(const memcached_result_st *result) {
	const memcached_string_st *value = &result->value;
	return result->key_length > MCP_WIRE_KEY_MAX ||
		(size_t)(value->end - value->string) > value->current_size;
}

/* Repairs a result that such a reply has overwritten. `fetched`: libmemcached's return value. */
void mcp_wire_result_mend(mcp_wire_result *result, memcached_st *handle,
	const memcached_result_st *fetched);

/* Fetches an item. NULL with MEMCACHED_END: proper end of the reply. libmemcached turns failures into "not found" while
 * the result's count is 0, so start with 1. A reply without an item ("OK") counts as success and keeps the last item in
 * the result, so clear the result's key. */
static inline memcached_result_st *mcp_wire_result_fetch(mcp_wire_result *into,
	memcached_st *handle, memcached_return_t *code) {
	into->it.count = 1;
	into->it.key_length = 0;
	memcached_result_st *fetched = memcached_fetch_result(handle, &into->it, code);
	if (!mcp_wire_result_is_spoilt(&into->it)) {
		return fetched;
	}
	mcp_wire_result_mend(into, handle, fetched);
	*code = fetched != NULL ? MEMCACHED_PROTOCOL_ERROR : *code;
	return NULL;
}

/* Frees the memory of a very large value, because a result keeps the memory of its largest value. */
void mcp_wire_result_trim(mcp_wire_result *result, memcached_st *handle);

/* Zero-initialized: empty. Invariants: made <= capacity, limit < capacity. */
typedef struct mcp_wire_results {
	mcp_wire_result *all;
	size_t capacity;
	size_t made;       /* number initialized by libmemcached */
	size_t used;       /* number with items, since the last ask without `is_further` */
	size_t limit;      /* number of requested keys */
	size_t held_bytes; /* bytes of all initialized results */
	bool has_put_back; /* `fetched`, or `code` without one, is the next result */
	const memcached_result_st *fetched;
	memcached_return_t code;
} mcp_wire_results;

/* Prepares for the request of `count` keys. Invalidates all views unless `is_further`. False: memory exhausted. */
bool mcp_wire_results_expect(mcp_wire_results *results, size_t count, bool is_further);

/* Frees memory that an ordinary call does not need. If memory is freed, all views become invalid. */
void mcp_wire_results_trim(mcp_wire_results *results);

/* Slow path of mcp_wire_results_fetch: initializes a result. */
void mcp_wire_results_make(mcp_wire_results *results, memcached_st *handle);

/* Fetches the next item like mcp_wire_result_fetch. Fetch at most one item above the limit. */
static inline const memcached_result_st *mcp_wire_results_fetch(mcp_wire_results *results,
	memcached_st *handle, memcached_return_t *code) {
	if (results->used == results->made) {
		mcp_wire_results_make(results, handle);
	}
	mcp_wire_result *next = &results->all[results->used];
	size_t size_before = next->it.value.current_size;
	const memcached_result_st *fetched = mcp_wire_result_fetch(next, handle, code);
	results->held_bytes += next->it.value.current_size - size_before;
	results->used += fetched != NULL;
	return fetched;
}

static inline void mcp_wire_results_put_back(mcp_wire_results *results,
	const memcached_result_st *fetched, memcached_return_t code) {
	results->has_put_back = true;
	results->fetched = fetched;
	results->code = code;
}

/* Returns a result that was put back first. */
static inline const memcached_result_st *mcp_wire_results_fetch_again(mcp_wire_results *results,
	memcached_st *handle, memcached_return_t *code) {
	if (!results->has_put_back) {
		return mcp_wire_results_fetch(results, handle, code);
	}
	results->has_put_back = false;
	*code = results->code;
	return results->fetched;
}

/* Lower bound of the other values' memory while the next value is read. Reused memory of previous calls is
 * subtracted. */
static inline size_t mcp_wire_results_other_bytes(const mcp_wire_results *results) {
	size_t values = results->held_bytes - results->made * sizeof(*results->all);
	size_t grown =
		results->used < results->made ? results->all[results->used].it.value.current_size : 0;
	size_t others = values - grown;
	return others > MCP_BUFFER_KEPT_MAX ? others - MCP_BUFFER_KEPT_MAX : 0;
}

static inline bool mcp_wire_results_has(const mcp_wire_results *results, const void *memory) {
	uintptr_t first = (uintptr_t)results->all;
	return (uintptr_t)memory - first < results->made * sizeof(*results->all);
}

static inline bool mcp_wire_results_are_too_many(const mcp_wire_results *results) {
	return results->used > results->limit;
}

/* Call this before the handle is freed. */
void mcp_wire_results_free(mcp_wire_results *results);

#endif
