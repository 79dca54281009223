/* The hashes of what a host's memory of items was given lately: what is given for the second time is worth the place of another. Sets
 * of marks, in each the one that was noted last comes first, and the last one is forgotten. Processes note without
 * locks: where two do at once, one mark may be lost or stand twice, and a second time counts as a first. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_NEAR_ASKED_H
#define MCP_CORE_NEAR_ASKED_H

#include "../atomics.h"

#include <stddef.h>

/* A line of the processor's cache. */
#define MCP_ASKED_WAYS 16
#define MCP_ASKED_SET_SIZE (MCP_ASKED_WAYS * sizeof(mcp_atomic_u32))

typedef struct mcp_asked {
	mcp_atomic_u32 *marks; /* in the memory; 0: none */
	uint32_t set_count;
} mcp_asked;

/* Takes the set by the lower half of the hash, and the mark by the upper one. */
static inline mcp_atomic_u32 *mcp_asked_set(const mcp_asked *asked, uint64_t hash) {
	uint64_t number = (hash & UINT32_MAX) * asked->set_count >> 32;
	return asked->marks + number * MCP_ASKED_WAYS;
}

/* Notes it, and says whether it was noted before, among the last ones. */
static inline bool mcp_asked_note(const mcp_asked *asked, uint64_t hash) {
	mcp_atomic_u32 *set = mcp_asked_set(asked, hash);
	uint32_t mark = (uint32_t)(hash >> 32) | 1;
	uint32_t moved = mark;
	for (unsigned i = 0; i < MCP_ASKED_WAYS; i++) {
		uint32_t found = atomic_load_explicit(&set[i], memory_order_relaxed);
		atomic_store_explicit(&set[i], moved, memory_order_relaxed);
		if (found == mark) {
			return true;
		}
		moved = found;
	}
	return false;
}

#endif
