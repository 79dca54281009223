/* Division of a call for many keys into one call per store. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SORTING_H
#define MCP_STORE_SORTING_H

#include "../store.h"

#include <stdint.h>

/* The keys of one store: `count` elements of `places`, beginning at `from`. */
typedef struct mcp_sorting_run {
	size_t owner;
	size_t from;
	size_t count;
} mcp_sorting_run;

typedef struct mcp_sorting {
	size_t count;     /* number of keys */
	uint32_t *owners; /* index of each key's store; the caller sets these before each sort */
	/* Results of a sort: runs in the order of their stores' first keys, and the indexes of each run's keys, in the
	 * order of the call. */
	size_t *places;
	mcp_sorting_run *runs;
	size_t run_count;
	void *elements;    /* one element per key, used by the caller */
	uint32_t *runs_of; /* the run of each store, from 1 on; 0: no key yet */
	size_t stores;
} mcp_sorting;

/* Lays out a sorting of `count` keys of `stores` stores in `room`, with an element per key. False: memory exhausted. */
bool mcp_sorting_prepare(mcp_sorting *sorting, mcp_buffer *room, size_t count, size_t stores,
	size_t element_size);
/* Sorts in 2 passes over the keys, whatever the number of stores. Overwrites `owners`: set them again before the next
 * sort. */
void mcp_sorting_sort(mcp_sorting *sorting);

#endif
