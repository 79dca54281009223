/* Keys keep the order in which they came, within their store and among stores. */
/* SPDX-License-Identifier: MIT */
#include "sorting.h"

bool mcp_sorting_prepare(mcp_sorting *sorting, mcp_buffer *room, size_t count,
	size_t element_size) {
	size_t per_key = element_size + sizeof(mcp_store *) + sizeof(size_t);
	mcp_buffer_clear(room);
	if (count > SIZE_MAX / per_key || !mcp_buffer_reserve(room, count * per_key)) {
		return false;
	}
	sorting->owners = (mcp_store **)(void *)room->data;
	sorting->places = (size_t *)(sorting->owners + count);
	sorting->all_places = sorting->places;
	sorting->elements = sorting->places + count;
	sorting->handed = 0;
	return true;
}

mcp_store *mcp_sorting_next(mcp_sorting *sorting, size_t count) {
	mcp_store *owner = NULL;
	sorting->places += sorting->handed;
	sorting->handed = 0;
	for (size_t i = 0; i < count; i++) {
		if (sorting->owners[i] == NULL || (owner != NULL && sorting->owners[i] != owner)) {
			continue;
		}
		owner = sorting->owners[i];
		sorting->owners[i] = NULL;
		sorting->places[sorting->handed++] = i;
	}
	if (owner == NULL) {
		sorting->places = sorting->all_places;
	}
	return owner;
}
