/* Checks whether the item of a hold is still on the server, and rewrites it, even if the hold has expired.
 * Private to the lock's files. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LOCK_HOLD_H
#define MCP_PATTERNS_LOCK_HOLD_H

#include "lock_terms.h"

static inline uint64_t mcp_lock_hold_new_stamp(const mcp_lock *lock) {
	uint64_t stamp;
	do {
		stamp = mcp_random_u64(lock->environment);
	} while (stamp == 0);
	return stamp;
}

static inline bool mcp_lock_hold_is_of(const mcp_lock *lock, const mcp_hold *hold,
	const mcp_lock_item *item) {
	return item->stamp == hold->stamp && mcp_bytes_equal(item->owner, lock->owner);
}

static inline void mcp_lock_hold_close(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock_terms_end(lock, hold->stamp);
	*hold = (mcp_hold){0};
}

/* Stop trusting the hold, and allow takeover of its item. The hold stays open: its item may still be removed
 * or found. */
static inline void mcp_lock_hold_give_up(const mcp_lock *lock, mcp_hold *hold) {
	hold->deadline_ms = 0;
	mcp_lock_terms_end(lock, hold->stamp);
}

static inline void mcp_lock_hold_believe(mcp_hold *hold, const mcp_lock_terms *terms) {
	hold->deadline_ms = terms->deadline_ms;
	hold->until_ms = terms->until_ms;
}

/* Request a proof, which is known after the write's reply. The previous item's proof is now useless. */
static inline void mcp_lock_hold_ask_for_proof(const mcp_lock *lock, mcp_hold *hold,
	mcp_record *record) {
	hold->proof = (mcp_proof){0};
	record->proof = mcp_store_may_prove(lock->store) ? &hold->proof : NULL;
}

/* Judge the hold with this host's clock, as an item that was read: a hold never trusts a later end than its
 * item has. */
static inline bool mcp_lock_hold_is_over(const mcp_lock *lock, const mcp_hold *hold) {
	mcp_lock_item told = {.until_ms = hold->until_ms != 0 ? hold->until_ms : MCP_LOCK_ITEM_NEVER};
	return mcp_lock_terms_are_over(lock, &told);
}

/* Contracts as in lock.h. */
bool mcp_lock_hold_is_held(const mcp_lock *lock, const mcp_hold *hold);
uint64_t mcp_lock_hold_remaining_ms(const mcp_lock *lock, const mcp_hold *hold);

/* Closes the hold if the item is missing or another holder's. */
mcp_status mcp_lock_hold_read(const mcp_lock *lock, mcp_hold *hold, mcp_item *item);

/* Rewrite the item as ours with new ends. Until the reply, and if none comes, the earlier of both ends
 * applies.
 * `cas`: CAS value of the item that was read. NULL: use the proof. MCP_EXISTS: read the item again. */
mcp_status mcp_lock_hold_rewrite(const mcp_lock *lock, mcp_hold *hold, const uint64_t *cas);

/* Extend the hold, even if it has expired: while the item is ours, no other holder came in between.
 * MCP_NOT_FOUND: the item is not ours, and the hold is closed. */
mcp_status mcp_lock_hold_extend(const mcp_lock *lock, mcp_hold *hold);

/* Begin a try under a new stamp, whose `add` the caller sends together with other commands, and conclude it
 * with the reply.
 * MCP_OK. MCP_NOT_STORED: another holder's item exists, the hold is closed. A failure: the hold is open if
 * anything may be stored. */
void mcp_lock_hold_begin_try(const mcp_lock *lock, mcp_hold *hold, mcp_lock_terms *terms);
mcp_status mcp_lock_hold_conclude_try(const mcp_lock *lock, mcp_hold *hold,
	const mcp_lock_terms *terms, mcp_status added);

/* Progress of the rounds that change an item. */
typedef struct mcp_lock_attempts {
	int rounds, unanswered;
	bool has_sent; /* a write of this try may be stored, now or later */
	bool has_seen; /* an item of ours was read before a delete was sent */
} mcp_lock_attempts;

/* Whether to read the item once more. A write without a reply may be executed now or later: only the current
 * item and its CAS value decide how to continue. */
bool mcp_lock_hold_may_try_again(const mcp_lock *lock, mcp_lock_attempts *made, mcp_status status);
/* Final status of all rounds. */
mcp_status mcp_lock_hold_outcome(const mcp_lock_attempts *made, mcp_status status);

#endif
