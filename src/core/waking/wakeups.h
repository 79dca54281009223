/* Bells by which processes of one host wake each other: words of shared memory that a process sleeps on while it waits for
 * a key, and that another one changes when it has changed the key. Keys share bells, which costs a look now and then.
 *
 * No wake-up is lost (W1), in whatever order a listener and a ringer come:
 *
 *     a listener stamps the bell, notes its sequence, looks at the key, and sleeps while the sequence is as noted;
 *     a ringer changes the key, looks at the stamp, raises the sequence, and wakes.
 *
 * Either the ringer finds the stamp, and then the listener finds the sequence raised or is woken; or the stamp came after
 * the ringer's look, and then the listener looks at the key after its change. A stamp is a time until which somebody may
 * sleep, and no count of sleepers: whoever is killed leaves nothing that would have to be taken back.
 *
 * The memory is hostile: another process may have written anything into it. It can wake a listener for nothing, or let it
 * sleep until its own time is over, and no more. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_WAKING_WAKEUPS_H
#define MCP_CORE_WAKING_WAKEUPS_H

#include "../atomics.h"
#include "../environment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A bell as it lies in the memory. */
typedef struct mcp_wakeup {
	mcp_atomic_u32 sequence; /* raised by each ring; what is slept on */
	uint32_t unused;
	mcp_atomic_u64
		awaited_until_ms; /* the latest end of any sleep, by the host's clock; 0: none yet */
} mcp_wakeup;

/* Where bells lie. Plain data, which threads may share. */
typedef struct mcp_wakeups {
	mcp_wakeup *first;
	uint64_t mask; /* their number less one */
} mcp_wakeups;

/* The bell of a key, and the bit by which its listeners are told from most of another key's. */
typedef struct mcp_wakeup_slot {
	mcp_wakeup *bell; /* NULL: there is none */
	uint32_t bit;
} mcp_wakeup_slot;

/* Lays bells out in `memory`, which is borrowed, begins on 64 bytes and was zeroed when it was new: a power of two of
 * them. False if it is too small for any. */
bool mcp_wakeups_open(mcp_wakeups *bells, void *memory, size_t size);

/* Finds a bell by a hash of the key and its server. The bit is of the upper bits, so it differs among keys of a bell. */
static inline mcp_wakeup_slot mcp_wakeups_find(const mcp_wakeups *bells, uint64_t hash) {
	return (mcp_wakeup_slot){&bells->first[hash & bells->mask], (uint32_t)1 << (hash >> 59)};
}

/* Stamps the bell and returns the time at which a sleep on it ends at the latest. 0: it could not be stamped, and is
 * not to be slept on. Whoever is to be woken calls it before mcp_bell_note, and that before it looks at the key. */
uint64_t mcp_bell_stamp(mcp_wakeup *bell, uint64_t now_ms);
/* Returns the sequence to be slept on. */
uint32_t mcp_bell_note(const mcp_wakeup *bell);

/* Returns the end of the stamp, for mcp_bell_is_awaited. Called after the key's change: what is listened for from then on
 * is found changed. Keeps, by the fence, the look at the stamp behind that. */
static inline uint64_t mcp_bell_stamped_until(const mcp_wakeup *bell) {
	mcp_atomics_fence();
	return atomic_load_explicit(&bell->awaited_until_ms, memory_order_relaxed);
}
/* Says whether anybody may sleep. A stamp that no listener can have made, as it ends too late, is none. */
bool mcp_bell_is_awaited(uint64_t stamped_until_ms, uint64_t now_ms);
/* Raises the sequence, after the key's change and before the sleepers are woken. */
void mcp_bell_raise(mcp_wakeup *bell);

/* Rings a bell of the host: wakes those who wait for a key that was changed. */

/* Returns the time by which bells are stamped; 0: there are none for this caller now. */
static inline uint64_t mcp_bell_ms(const mcp_environment *environment) {
	return environment->bell_ms != NULL ? environment->bell_ms(environment) : 0;
}

/* Does the next one's work where somebody has. */
bool mcp_ring_is_awaited_until(const mcp_environment *environment, uint64_t until_ms);
/* Says whether anybody of this host may sleep on the bell. Called after the key's change. Asks the system for nothing
 * where nobody ever has. */
static inline bool mcp_ring_is_awaited(const mcp_environment *environment, const mcp_wakeup *bell) {
	uint64_t until_ms = mcp_bell_stamped_until(bell);
	return until_ms != 0 && mcp_ring_is_awaited_until(environment, until_ms);
}

/* Wakes all who listen at the place, or one of them. Called where it is awaited, after the key's change. */
void mcp_ring(const mcp_environment *environment, mcp_wakeup_slot place, bool wakes_one);

#endif
