/* Stable sort of a call's keys by store. */
/* SPDX-License-Identifier: MIT */
#include "sorting.h"

bool mcp_sorting_prepare(mcp_sorting *sorting, mcp_buffer *room, size_t count, size_t stores,
	size_t element_size) {
	size_t per_key = element_size + sizeof(size_t) + sizeof(uint32_t);
	size_t for_stores = stores * (sizeof(mcp_sorting_run) + sizeof(uint32_t));
	if (count > (SIZE_MAX - for_stores) / per_key ||
		!mcp_buffer_use(room, count * per_key + for_stores)) {
		return false;
	}
	sorting->count = count;
	sorting->stores = stores;
	sorting->elements = room->data;
	sorting->places = (size_t *)(void *)(room->data + count * element_size);
	sorting->runs = (mcp_sorting_run *)(void *)(sorting->places + count);
	sorting->owners = (uint32_t *)(void *)(sorting->runs + stores);
	sorting->runs_of = sorting->owners + count;
	return true;
}

/* Counts each store's keys and stores each key's run in `owners`. */
static void count_runs(mcp_sorting *self) {
	memset(self->runs_of, 0, self->stores * sizeof(*self->runs_of));
	self->run_count = 0;
	for (size_t i = 0; i < self->count; i++) {
		uint32_t owner = self->owners[i];
		if (self->runs_of[owner] == 0) {
			self->runs[self->run_count++] = (mcp_sorting_run){.owner = owner};
			self->runs_of[owner] = (uint32_t)self->run_count;
		}
		self->owners[i] = self->runs_of[owner] - 1;
		self->runs[self->owners[i]].count++;
	}
}

void mcp_sorting_sort(mcp_sorting *sorting) {
	size_t from = 0;
	count_runs(sorting);
	for (size_t i = 0; i < sorting->run_count; i++) {
		mcp_sorting_run *run = &sorting->runs[i];
		run->from = from;
		from += run->count;
		run->count = 0;
	}
	for (size_t i = 0; i < sorting->count; i++) {
		mcp_sorting_run *run = &sorting->runs[sorting->owners[i]];
		sorting->places[run->from + run->count++] = i;
	}
}
