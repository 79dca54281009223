/* A value's memory is asked for when its line has been read, before any of its bytes. A result that an overlong key has
 * written over may say that libmemcached had allocated it: then that would free it, in the middle of ours. */
/* SPDX-License-Identifier: MIT */
#include "wire_memory.h"

#include "../../answer_limit.h"

#include <stdlib.h>

static void *allocate(const memcached_st *handle, const size_t size, void *context) {
	(void)handle;
	(void)context;
	return malloc(size);
}

static void *allocate_zeroed(const memcached_st *handle, size_t count, const size_t size,
	void *context) {
	(void)handle;
	(void)context;
	return calloc(count, size);
}

static void give_back(const memcached_st *handle, void *memory, void *context) {
	(void)handle;
	const mcp_wire_memory *self = context;
	bool is_a_result = memory == &self->reply->it || memory == &self->rest->it ||
		mcp_wire_results_has(self->replies, memory);
	if (!is_a_result) {
		free(memory);
	}
}

/* libmemcached takes so much for a value that it holds with its line end: a multiple of 1,024 bytes (its
 * MEMCACHED_BLOCK_SIZE), and one more where it fits. */
#define ROUNDING_MAX (1024 + 2)

/* Counts them without what it takes beyond the values, as a legal call may be of thousands. */
static size_t bytes_of_others(const mcp_wire_results *replies) {
	size_t taken = mcp_wire_results_other_bytes(replies);
	size_t rounding = mcp_answer_limit_product(replies->used, ROUNDING_MAX);
	return taken > rounding ? taken - rounding : 0;
}

/* Grows values alone. */
static void *grow(const memcached_st *handle, void *value, const size_t size, void *context) {
	(void)handle;
	mcp_wire_memory *self = context;
	size_t others = self->is_for_many ? bytes_of_others(self->replies) : 0;
	mcp_expected_answer answer = {
		.keys = self->is_for_many ? self->replies->limit : 1,
		.item_max = *self->item_max,
		.next = size,
		.whole = mcp_answer_limit_sum(others, size),
	};
	if (mcp_answer_is_too_large(self->environment, &answer)) {
		self->refused = size;
		return NULL;
	}
	return realloc(value, size);
}

bool mcp_wire_memory_watch(mcp_wire_memory *memory, memcached_st *handle) {
	return memcached_set_memory_allocators(handle, allocate, give_back, grow, allocate_zeroed,
			   memory) == MEMCACHED_SUCCESS;
}
