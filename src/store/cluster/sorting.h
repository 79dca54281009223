/* A call for many keys cut into one for each store that has some of them, so that each is asked once. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SORTING_H
#define MCP_STORE_SORTING_H

#include "../buffer.h"

#include <stdint.h>

/* The keys of one store: so many of `places` from this one on. */
typedef struct mcp_sorting_run {
	size_t owner;
	size_t from;
	size_t count;
} mcp_sorting_run;

typedef struct mcp_sorting {
	size_t count;     /* of the keys */
	uint32_t *owners; /* of each key its store's number, by the caller, before each sort */
	/* A sort finds: the runs in the order in which their stores' first keys came, and in each the places of its keys
	 * in theirs. */
	size_t *places;
	mcp_sorting_run *runs;
	size_t run_count;
	void *elements;    /* room for one of each key, for the caller */
	uint32_t *runs_of; /* of each store the number of its run, from 1 on; 0: none has come */
	size_t stores;
} mcp_sorting;

/* Prepares in `room` for keys of so many stores, with an element for each key. False if there is no memory. */
bool mcp_sorting_prepare(mcp_sorting *sorting, mcp_buffer *room, size_t count, size_t stores,
	size_t element_size);
/* Sorts in two passes over the keys, however many stores there are. The owners are to be filled in anew before the next
 * sort. */
void mcp_sorting_sort(mcp_sorting *sorting);

#endif
