/* The results that libmemcached reads items into: one for one key, or several for many, so that a view needs no copy.
 * Each is used again, with the memory that it has. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_RESULTS_H
#define MCP_STORE_WIRE_RESULTS_H

#include "../../buffer.h"
#include "../../store.h"

#include <libmemcached/memcached.h>
#include <stddef.h>

/* Reads the fields of its public struct: on a hit, a call for each would cost more than all of ours. */
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

/* libmemcached puts a key of any length into a result, and reads lines of up to 350 bytes (its
 * MEMCACHED_DEFAULT_COMMAND_SIZE): what has no room there is written behind the result, and over its options. */
typedef struct mcp_wire_result {
	memcached_result_st it;
	char spill[128];
} mcp_wire_result;

_Static_assert(sizeof(mcp_wire_result) >= offsetof(memcached_result_st, item_key) + 350,
	"a whole line has room");

/* Finds an overlong key, or a length for which libmemcached's own sum overflows. */
static inline bool mcp_wire_result_is_spoilt(const memcached_result_st *result) {
	const memcached_string_st *value = &result->value;
	return result->key_length > MCP_WIRE_KEY_MAX ||
		(size_t)(value->end - value->string) > value->current_size;
}

/* Puts right what such an answer has written over. `fetched`: what libmemcached made of it. */
void mcp_wire_result_mend(mcp_wire_result *result, memcached_st *handle,
	const memcached_result_st *fetched);

/* NULL if it is the proper end, with MEMCACHED_END. libmemcached turns every failure into "not found" as long as the
 * result has counted nothing: so it begins with one. An answer that is no item ("OK") counts as success and leaves
 * the last item standing: so that one loses its key. */
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

/* Trims a result, which keeps the memory of the largest value it has held: that of a giant is given back. */
void mcp_wire_result_trim(mcp_wire_result *result, memcached_st *handle);

/* Zero-initialised: none. Invariants: made <= room, limit < room. */
typedef struct mcp_wire_results {
	mcp_wire_result *all;
	size_t room;
	size_t made;       /* the first so many are libmemcached's */
	size_t used;       /* hold the items of all asks, from the last that was no further one */
	size_t limit;      /* so many were asked for */
	size_t held_bytes; /* by all that are made */
	bool has_put_back; /* what was fetched, or the code that there was instead */
	const memcached_result_st *fetched;
	memcached_return_t code;
} mcp_wire_results;

/* Expects `count` keys, which are asked for next. Unless `is_further`, ends all views of those before. False if
 * there is no memory. */
bool mcp_wire_results_expect(mcp_wire_results *results, size_t count, bool is_further);

/* Gives back what is more than an ordinary call needs; then it ends all views. */
void mcp_wire_results_trim(mcp_wire_results *results);

/* Does mcp_wire_results_fetch's work where none is left from calls before. */
void mcp_wire_results_make(mcp_wire_results *results, memcached_st *handle);

/* Fetches the next item, as mcp_wire_result_fetch does. At most one more than were asked for. */
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

/* Fetches first what was put back. */
static inline const memcached_result_st *mcp_wire_results_fetch_again(mcp_wire_results *results,
	memcached_st *handle, memcached_return_t *code) {
	if (!results->has_put_back) {
		return mcp_wire_results_fetch(results, handle, code);
	}
	results->has_put_back = false;
	*code = results->code;
	return results->fetched;
}

/* Bounds what the other values of the call take while the next one is read: no more than that, and less by what calls
 * before have left, which is used again. */
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

/* Frees them while their handle lives. */
void mcp_wire_results_free(mcp_wire_results *results);

#endif
