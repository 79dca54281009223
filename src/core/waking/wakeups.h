/* Wake-ups between the processes of a host: words in shared memory that a process sleeps on while it waits for a key,
 * and that another process changes with the key. Such a word is called a bell. Keys share bells, which sometimes costs
 * a needless read. No wake-up is lost (W1). A listener stamps the bell, notes the bell's sequence, reads the key, and
 * sleeps while the sequence is unchanged. A notifier changes the key, reads the stamp, raises the sequence, and wakes
 * the sleepers. If the notifier sees the stamp, the listener sees the raised sequence or is woken. If the stamp came
 * later, the listener reads the key after its change. A stamp is a time until which processes may sleep, not a count of
 * sleepers, so a killed process leaves no count to correct. The memory is hostile: any process might have written
 * anything. At worst, wrong data wakes a listener needlessly, or lets the listener sleep until its timeout. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_WAKING_WAKEUPS_H
#define MCP_CORE_WAKING_WAKEUPS_H

#include "../atomics.h"
#include "../environment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bell in shared memory. */
typedef struct mcp_wakeup {
	mcp_atomic_u32 sequence; /* raised by each wake-up; the futex word */
	uint32_t unused;
	mcp_atomic_u64 awaited_until_ms; /* latest end of any sleep, on the host's clock; 0: none yet */
} mcp_wakeup;

/* Location of the bells. Plain data; threads may share it. */
typedef struct mcp_wakeups {
	mcp_wakeup *first;
	uint64_t mask; /* number of bells - 1 */
} mcp_wakeups;

/* The bell of a key, and the bit that separates the key's listeners from the listeners of most other keys. */
typedef struct mcp_wakeup_slot {
	mcp_wakeup *bell; /* NULL: none */
	uint32_t bit;
} mcp_wakeup_slot;

/* Lay out the bells (a power of two) in `memory`, which is borrowed, aligned to 64 bytes, and was zeroed when it was
 * created. Returns false if `memory` is too small. */
bool mcp_wakeups_open(mcp_wakeups *bells, void *memory, size_t size);

/* `hash`: hash of the key and its server. The bit is derived from the hash's upper bits, so that it differs between
 * most keys of a bell. */
static inline mcp_wakeup_slot mcp_wakeups_find(const mcp_wakeups *bells, uint64_t hash) {
	return (mcp_wakeup_slot){&bells->first[hash & bells->mask], (uint32_t)1 << (hash >> 59)};
}

/* Stamp the bell, and return the latest permitted end of a sleep on the bell. 0: the bell could not be stamped, so do
 * not sleep on it. Order for a listener: mcp_bell_stamp, mcp_bell_sequence, read of the key. */
uint64_t mcp_bell_stamp(mcp_wakeup *bell, uint64_t now_ms);
/* The sequence to sleep on. */
uint32_t mcp_bell_sequence(const mcp_wakeup *bell);

/* The end of the stamp, for mcp_bell_is_awaited. Call this after the key's change, because later listeners see the
 * change. The fence keeps this read after the change. */
static inline uint64_t mcp_bell_stamped_until(const mcp_wakeup *bell) {
	mcp_atomics_fence();
	return atomic_load_explicit(&bell->awaited_until_ms, memory_order_relaxed);
}
/* Whether a process can be asleep. A stamp that ends too late for any listener is ignored. */
bool mcp_bell_is_awaited(uint64_t stamped_until_ms, uint64_t now_ms);
/* Raise the sequence after the key's change, before the sleepers are woken. */
void mcp_bell_raise(mcp_wakeup *bell);

/* Wakes processes of this host that wait for a changed key. */

/* The clock of the stamps; 0: this caller has no bells now. */
static inline uint64_t mcp_bell_ms(const mcp_environment *environment) {
	return environment->bell_ms != NULL ? environment->bell_ms(environment) : 0;
}

/* Slow path of the next function. */
bool mcp_ring_is_awaited_until(const mcp_environment *environment, uint64_t until_ms);
/* Whether a process of this host can be asleep on the bell. Call this after the key's change. Makes no system call if
 * no process has ever slept on the bell. */
static inline bool mcp_ring_is_awaited(const mcp_environment *environment, const mcp_wakeup *bell) {
	uint64_t until_ms = mcp_bell_stamped_until(bell);
	return until_ms != 0 && mcp_ring_is_awaited_until(environment, until_ms);
}

/* Wake all listeners of the slot, or one of them. Call this after the key's change, if the slot is awaited. */
void mcp_ring(const mcp_environment *environment, mcp_wakeup_slot place, bool wakes_one);

/* --- change counters ---
 *
 * Counters that show whether a key was changed: a process notes the counter before a read, and trusts its copy of the
 * value while the counter is unchanged. Keys share counters, so a copy is sometimes dropped needlessly, but an outdated
 * copy is never valid. The counters can be in memory that processes share. */

/* Locations of the counters: one for all keys, and a power of two of counters to which keys are hashed. The struct owns
 * nothing. */
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

/* Increment the key's counter after a write's reply has arrived, or after the writer has given up waiting for the
 * reply. Before that, a new copy could still contain the previous value. Returns the previous count. */
static inline uint64_t mcp_changes_raise(const mcp_changes *changes, uint64_t hash) {
	return atomic_fetch_add_explicit(&changes->of_keys[hash & changes->mask], 1,
		memory_order_seq_cst);
}

static inline void mcp_changes_raise_all(const mcp_changes *changes) {
	atomic_fetch_add_explicit(changes->all, 1, memory_order_seq_cst);
}

#endif
