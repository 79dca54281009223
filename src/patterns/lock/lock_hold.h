/* Looks for a holder, whose hold may have run out, whether its item is still there, and writes it again. For the files
 * of the lock alone. */
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

/* Believes in it no more, and leaves what is there of it to whoever wants it. It stays open: it may be removed, or found. */
static inline void mcp_lock_hold_give_up(const mcp_lock *lock, mcp_hold *hold) {
	hold->deadline_ms = 0;
	mcp_lock_terms_end(lock, hold->stamp);
}

static inline void mcp_lock_hold_believe(mcp_hold *hold, const mcp_lock_terms *terms) {
	hold->deadline_ms = terms->deadline_ms;
	hold->until_ms = terms->until_ms;
}

/* Asks for the proof, which is known with the write's answer; the one of the item before it is no longer of use. */
static inline void mcp_lock_hold_ask_for_proof(const mcp_lock *lock, mcp_hold *hold,
	mcp_record *record) {
	hold->proof = (mcp_proof){0};
	record->proof = mcp_store_may_prove(lock->store) ? &hold->proof : NULL;
}

/* Judges by this host's clock, as of an item that was read: a hold believes what its item tells, or less. */
static inline bool mcp_lock_hold_is_over(const mcp_lock *lock, const mcp_hold *hold) {
	mcp_lock_item told = {.until_ms = hold->until_ms != 0 ? hold->until_ms : MCP_LOCK_ITEM_NEVER};
	return mcp_lock_terms_are_over(lock, &told);
}

/* Answers as lock.h says; so does the next. */
bool mcp_lock_hold_is_held(const mcp_lock *lock, const mcp_hold *hold);
uint64_t mcp_lock_hold_remaining_ms(const mcp_lock *lock, const mcp_hold *hold);

/* Closes the hold when the item is gone or another's. */
mcp_status mcp_lock_hold_read(const mcp_lock *lock, mcp_hold *hold, mcp_item *item);

/* Writes the item again, as ours and with new ends. While the answer is out, the shorter of both holds;
 * without an answer it goes on holding. `cas`: of the item that was read, or NULL: the one that the hold can prove.
 * MCP_EXISTS: look at the item again. */
mcp_status mcp_lock_hold_rewrite(const mcp_lock *lock, mcp_hold *hold, const uint64_t *cas);

/* Extends it, run out or not: as long as the item is ours, no other holder has come in between. MCP_NOT_FOUND: it is
 * not, and the hold is closed. */
mcp_status mcp_lock_hold_extend(const mcp_lock *lock, mcp_hold *hold);

/* Begins a try whose add its caller sends beside other commands, under a stamp of its own, and concludes it by the add's
 * answer: MCP_OK; MCP_NOT_STORED: another's item is there, and the hold is closed; or a failure, after which the hold is
 * open if anything may be stored. */
void mcp_lock_hold_begin_try(const mcp_lock *lock, mcp_hold *hold, mcp_lock_terms *terms);
mcp_status mcp_lock_hold_conclude_try(const mcp_lock *lock, mcp_hold *hold,
	const mcp_lock_terms *terms, mcp_status added);

/* The rounds of a change of the item, and what they have met so far. */
typedef struct mcp_lock_attempts {
	int rounds, unanswered;
	bool has_sent; /* a write of this try, which may be there now, or come */
	bool has_seen; /* an item of ours, before a delete was sent */
} mcp_lock_attempts;

/* Says whether the item may be looked at once more. A write without an answer may have happened, or happen
 * later: only what is there then, and its cas id, say how to go on. */
bool mcp_lock_hold_may_try_again(const mcp_lock *lock, mcp_lock_attempts *made, mcp_status status);
/* Says what is known in the end. */
mcp_status mcp_lock_hold_outcome(const mcp_lock_attempts *made, mcp_status status);

#endif
