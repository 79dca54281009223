/* Counters that show whether a key was changed: a process notes the counter before a read, and trusts its
 * copy while the counter is unchanged.
 * Keys share counters, which sometimes drops a copy needlessly but never makes a stale one valid. The
 * counters can be in memory that processes share. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_CHANGES_H
#define MCP_CORE_CHANGES_H

#include "../atomics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owns no counters: one for all keys, and a power of two of counters that keys are hashed to. */
typedef struct mcp_changes {
	mcp_atomic_u64 *all;
	mcp_atomic_u64 *of_keys;
	uint64_t mask; /* number of counters - 1 */
} mcp_changes;

/* Values of a key's counters. */
typedef struct mcp_change_snapshot {
	uint64_t of_key;
	uint64_t of_all;
} mcp_change_snapshot;

/* Read the counters of `hash`, the hash of the key as it is sent, so that all writers use the same counter. */
static inline mcp_change_snapshot mcp_changes_snapshot(const mcp_changes *changes, uint64_t hash) {
	return (mcp_change_snapshot){
		.of_key =
			atomic_load_explicit(&changes->of_keys[hash & changes->mask], memory_order_acquire),
		.of_all = atomic_load_explicit(changes->all, memory_order_acquire),
	};
}

static inline bool mcp_change_snapshots_equal(mcp_change_snapshot one, mcp_change_snapshot other) {
	return one.of_key == other.of_key && one.of_all == other.of_all;
}

/* Increment after a write's reply has come or was abandoned: before that, a new copy could still be of the
 * previous value. Returns the previous count. */
static inline uint64_t mcp_changes_raise(const mcp_changes *changes, uint64_t hash) {
	return atomic_fetch_add_explicit(&changes->of_keys[hash & changes->mask], 1,
		memory_order_seq_cst);
}

static inline void mcp_changes_raise_all(const mcp_changes *changes) {
	atomic_fetch_add_explicit(changes->all, 1, memory_order_seq_cst);
}

#endif
