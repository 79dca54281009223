/* A call for many keys cut into one for each store that has some of them, so that each is asked once. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SORTING_H
#define MCP_STORE_SORTING_H

#include "../buffer.h"
#include "../store.h"

/* The elements that a store is given, with room for all the keys: at first those of one store in a row. */
typedef struct mcp_sorting {
	mcp_store **owners; /* of each key, by the caller; NULL: had its turn */
	size_t *places;     /* of each element handed over; those of the next store stand behind them */
	size_t *all_places; /* the first store's */
	void *elements;
	size_t handed;
} mcp_sorting;

/* Prepares in `room`, for `count` elements of this size. False if there is no memory. */
bool mcp_sorting_prepare(mcp_sorting *sorting, mcp_buffer *room, size_t count, size_t element_size);
/* Puts the places of all keys that live where the first one left does into `places`; NULL: none left, and the owners may
 * be filled in anew. */
mcp_store *mcp_sorting_next(mcp_sorting *sorting, size_t count);

#endif
