/* One holder at a time, by `add` of a key whose value says who holds it and until when, and by `cas` of
 * one whose holder's time is over. The protocol alone: it throws nothing, runs nobody's code, and what is
 * held is plain data of the caller's.
 *
 * The rules are in docs/spec/lock.md under the names used here (L1, L2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LOCK_LOCK_H
#define MCP_PATTERNS_LOCK_LOCK_H

#include "../../core/holders/holders.h"
#include "../../store/store.h"
#include "../waiting.h"

/* The reason for which no fencing token can be had of a server that tells no start, although it answers. */
typedef enum mcp_fence_bar {
	MCP_FENCE_WITHOUT_CLOCK, /* no wall clock is believed */
	MCP_FENCE_AHEAD, /* the fence is ahead of this host's clock, by more than clocks may differ */
	MCP_FENCE_TOO_NEW, /* a token can be had later, but that is too long to wait for, or the hold ends before */
} mcp_fence_bar;

typedef struct mcp_fence_refusal {
	mcp_fence_bar bar;
	uint64_t ms; /* by how much it is ahead, or how long the wait would be */
} mcp_fence_refusal;

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_lock {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_LOCK */
	mcp_bytes owner;    /* stored in the item: the holder's name, not empty */
	uint64_t ttl_ms;    /* > 0; MCP_LOCK_FOREVER: until it is released */
	/* L11: by how much hosts' wall clocks may differ, at most: others take an item over when its end is
	 * so long ago. MCP_LOCK_FOREVER: no wall clock is believed, memcached's TTL ends the item. */
	uint64_t skew_ms;
	mcp_holder *
		holder; /* this thread, which knows what nobody holds any more (L11); NULL: what has not ended is held */
	mcp_holder
		*named; /* the same, in what is written; NULL: the end of its process does not end it */
	mcp_pauses *pauses;         /* kept over an interruption; NULL: a wait begins with its call */
	mcp_fence_refusal *refusal; /* why mcp_lock_fence is MCP_UNSUPPORTED; NULL: nobody asks */
} mcp_lock;

#define MCP_LOCK_FOREVER UINT64_MAX
/* The accuracy of hosts that ask a time server. */
#define MCP_LOCK_SKEW_MS 1000

/* The knowledge that a holder has of its acquisition. Zero-initialised: nothing held. `stamp` is random and
 * stands in the item, so that an earlier acquisition under the same owner's name does not release a later one.
 * Both ends must not have passed: the steady clock is the holder's own promise, and the wall clock what the
 * item tells others, who may have taken the lock over when it was set forward. */
typedef struct mcp_hold {
	uint64_t deadline_ms; /* monotonic, counted from before the item was written; 0: not held */
	uint64_t until_ms;    /* Unix time, as the item says; 0: the item tells no end */
	uint64_t fencing;     /* remembered fencing token; 0: not asked for yet */
	uint64_t stamp;       /* 0: nothing to give back */
	/* The proof of the item as it was written last: until its connection ends it is ours as long as it is
	 * unchanged, and who can tell that need not read it. */
	mcp_proof proof;
} mcp_hold;

/* Says whether there may be an item of ours on the server: held, run out, or a write whose answer never came. */
static inline bool mcp_hold_is_open(const mcp_hold *hold) {
	return hold->stamp != 0;
}

/* Says whether this hold has it, and neither of its ends has passed. Asks nobody. */
bool mcp_lock_is_held(const mcp_lock *lock, const mcp_hold *hold);
/* Forgets the hold without a word to the server: whatever is there of it is nobody's, unless it outlives its holder. */
void mcp_lock_forget(const mcp_lock *lock, mcp_hold *hold);
/* Returns what is left; MCP_LOCK_FOREVER: without end. */
uint64_t mcp_lock_remaining_ms(const mcp_lock *lock, const mcp_hold *hold);

/* Tries by L1, L4 and L11 until `wait_ms` after its wait began; 0 tries once, MCP_LOCK_FOREVER without end. Extends
 * what is still this hold's, run out or not. MCP_OK: held; MCP_NOT_STORED: another's until the end;
 * MCP_INTERRUPTED: see waiting.h; a failure at once, after which the hold is open if anything of this call may be
 * stored, now or later: release it when the server can be asked again. One round trip when it is free, two when it
 * is taken, three to take it over, one for each further look. */
mcp_status mcp_lock_acquire(const mcp_lock *lock, mcp_hold *hold, uint64_t wait_ms);

/* Takes over, with the TTL started again, what was acquired under this owner's name elsewhere: the hold
 * of before is lost then. MCP_OK, MCP_NOT_FOUND: it is not this owner's, is over, or others adopt it at the
 * same time; or a failure. Two round trips. */
mcp_status mcp_lock_adopt(const mcp_lock *lock, mcp_hold *hold);

/* Starts by L8 the TTL again if the hold has not run out and the item is still ours. MCP_OK, MCP_NOT_FOUND: it
 * was lost, and the hold is closed, or had run out, and nothing has changed; or a failure, after which the hold
 * stays as long as is certain. Two round trips, one with a proof, none when it had run out. */
mcp_status mcp_lock_refresh(const mcp_lock *lock, mcp_hold *hold);

/* Removes by L2 the item if it is still ours, atomically. MCP_OK, MCP_NOT_FOUND: it was lost before, or free to
 * others already; or a failure, after which nothing is held but the hold stays open. Two round trips, one with a
 * proof. */
mcp_status mcp_lock_release(const mcp_lock *lock, mcp_hold *hold);

/* Gives it to whoever adopts it: from now on neither the hold nor its process is needed, and its end is as it was. MCP_OK: the
 * hold is closed; MCP_NOT_FOUND: it was lost, or has run out; or a failure, after which it is held still. Round trips as for
 * mcp_lock_refresh, none where nobody is named. */
mcp_status mcp_lock_hand_over(const mcp_lock *lock, mcp_hold *hold);

/* Removes whosever item it is. MCP_OK, MCP_NOT_FOUND, or a failure. */
mcp_status mcp_lock_force_release(const mcp_lock *lock);

/* Asks by L12 whether anybody holds it, and in whose name. For an item of another format that is its whole
 * value. A view into the answer. MCP_OK, MCP_NOT_FOUND, also of an item that may be taken over, or a failure. */
mcp_status mcp_lock_find_owner(const mcp_lock *lock, mcp_bytes *owner);
static inline mcp_status mcp_lock_find(const mcp_lock *lock) {
	mcp_bytes owner;
	return mcp_lock_find_owner(lock, &owner);
}

/* Asks the server whether the item is still ours. MCP_OK; MCP_NOT_FOUND: lost, and the hold is
 * closed; or a failure. */
mcp_status mcp_lock_verify(const mcp_lock *lock, mcp_hold *hold);

/* Returns by how much the clocks may differ of all hosts that draw from the fence, also for locks with another skew than
 * this one, which may be used on one host alone. */
static inline uint64_t mcp_lock_fence_skew_ms(const mcp_lock *lock) {
	return lock->skew_ms > MCP_LOCK_SKEW_MS ? lock->skew_ms : MCP_LOCK_SKEW_MS;
}

/* Makes by L9 a number that grows strictly from holder to holder, also across evictions and restarts of the
 * server: its start in microseconds plus the item's cas id, as long as it makes fewer than a million changes a
 * second on average; or, where it tells no start, the next number of the fence (lock.c), for which it waits
 * when that is new, while the hold lasts. MCP_OK; MCP_NOT_FOUND: lost, and the hold is closed, or its deadline has
 * passed; MCP_UNSUPPORTED: see mcp_fence_bar; MCP_EXISTS: others kept changing the fence; MCP_INTERRUPTED: see
 * waiting.h; or a failure. One round trip the first time, then remembered while it is held; of the fence two, and
 * six when it is made. */
mcp_status mcp_lock_fence(const mcp_lock *lock, mcp_hold *hold, uint64_t *token);

/* One hold over many locks, each under a key of its own, for what is held for a moment: all are tried at once,
 * whoever finds one taken goes on without it, and all are given back at once. A single lock's further work (waiting,
 * taking over, settling) is left to lock.h. */

/* In all of them the lock's own key is not asked for, and each write has its lock's. */

/* Tries each once. A status of MCP_OK: taken under this hold; MCP_NOT_STORED: another's, or one that could be taken over;
 * MCP_UNKNOWN: look at it; or a failure, and nothing is there. One round trip for each server and hundred locks where the
 * store can, see store.h. */
void mcp_lock_try_many(const mcp_lock *lock, mcp_hold *hold, mcp_write *writes, size_t count);

/* Judges what a read has found under a lock's key: MCP_OK: this hold's; MCP_NOT_STORED: another's; MCP_NOT_FOUND:
 * nobody's; MCP_EXISTS: one that lock.h may take over; or a failure. */
mcp_status mcp_lock_judge(const mcp_lock *lock, const mcp_hold *hold, const mcp_reply *reply);

/* Removes those whose items still have the `cas` that a look at them has found: they were held from the look on until
 * now. MCP_OK, MCP_NOT_FOUND, MCP_EXISTS: ask mcp_lock_release_one; or a failure. Round trips as above. */
void mcp_lock_release_many(const mcp_lock *lock, mcp_write *writes, size_t count);

/* Releases one of them as mcp_lock_release does. The hold stays. */
mcp_status mcp_lock_release_one(const mcp_lock *lock, const mcp_hold *hold, const mcp_key *key);

#endif
