/* Counters that say whether a key was changed: whoever keeps a copy of what a key was notes its counter before
 * asking, and believes the copy while the counter is as it was. Keys share counters, which costs a copy now and then
 * and never lets an old one be believed. They may lie in memory that processes share. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_CHANGES_H
#define MCP_CORE_CHANGES_H

#include "../atomics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Borrows its counters: one for all keys at once, and a power of two of them that keys fall into. */
typedef struct mcp_changes {
	mcp_atomic_u64 *all;
	mcp_atomic_u64 *of_keys;
	uint64_t mask; /* their number less one */
} mcp_changes;

/* The numbers that a key's counters had. */
typedef struct mcp_change_note {
	uint64_t of_key;
	uint64_t of_all;
} mcp_change_note;

/* Looks at the counters of `hash`, which is of the key as it is sent, so that everything that writes to it
 * meets the same counter. */
static inline mcp_change_note mcp_changes_look(const mcp_changes *changes, uint64_t hash) {
	return (mcp_change_note){
		.of_key =
			atomic_load_explicit(&changes->of_keys[hash & changes->mask], memory_order_acquire),
		.of_all = atomic_load_explicit(changes->all, memory_order_acquire),
	};
}

static inline bool mcp_change_notes_equal(mcp_change_note one, mcp_change_note other) {
	return one.of_key == other.of_key && one.of_all == other.of_all;
}

/* Raises the counter after a write's answer has come, or was given up: before that, a copy made from then on could
 * still be of what was there. Returns what it was raised from. */
static inline uint64_t mcp_changes_raise(const mcp_changes *changes, uint64_t hash) {
	return atomic_fetch_add_explicit(&changes->of_keys[hash & changes->mask], 1,
		memory_order_seq_cst);
}

static inline void mcp_changes_raise_all(const mcp_changes *changes) {
	atomic_fetch_add_explicit(changes->all, 1, memory_order_seq_cst);
}

#endif
