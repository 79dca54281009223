/* Acquires, keeps and gives back a lock item. Deadlines run on the holder's monotonic clock from
 * before the write that started them, so they end before others may take the item over. */
/* SPDX-License-Identifier: MIT */
#include "lock.h"

#include "lock_hold.h"
#include "../resolve_unknown.h"

static inline uint64_t now_ms(const mcp_lock *lock) {
	return mcp_monotonic_ms(lock->environment);
}

bool mcp_lock_is_held(const mcp_lock *lock, const mcp_hold *hold) {
	return mcp_lock_hold_is_held(lock, hold);
}

void mcp_lock_forget(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock_hold_close(lock, hold);
}

uint64_t mcp_lock_remaining_ms(const mcp_lock *lock, const mcp_hold *hold) {
	return mcp_lock_hold_remaining_ms(lock, hold);
}

/* Says whether something may be stored. "Taken" may be by an earlier write of the same try, and a refusal may
 * come from a proxy that has sent the request on: only a look that finds another's item says that nothing is
 * left. */
static bool may_be_stored(const mcp_lock_attempts *made, mcp_status status) {
	return made->has_sent && mcp_status_is_failure(status);
}

static mcp_status add_ours(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock_terms terms;
	mcp_lock_terms_make(lock, hold->stamp, &terms);
	mcp_lock_hold_ask_for_proof(lock, hold, &terms.record);
	mcp_status status = mcp_resolve_add(lock->store, lock->key, &terms.record);
	if (status == MCP_OK) {
		mcp_lock_hold_believe(hold, &terms);
	}
	return status;
}

/* Another's item, as it was found. */
typedef struct sight {
	uint64_t stamp;
	uint64_t free_ms; /* of the monotonic clock: when it is over at the latest */
} sight;

/* Takes by L11 what is absent, over, or ours already, by a write of this try that arrived late. MCP_EXISTS:
 * look again. MCP_NOT_STORED: another's, which was seen. */
static mcp_status take_once(const mcp_lock *lock, mcp_hold *hold, mcp_lock_attempts *made,
	sight *seen) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status == MCP_NOT_FOUND) {
		made->has_sent = true;
		status = add_ours(lock, hold);
		/* The item that came in between may be an add of this try that has arrived late. */
		return status == MCP_NOT_STORED ? MCP_EXISTS : status;
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	if (mcp_lock_hold_is_of(lock, hold, &found)) {
		made->unanswered += made->unanswered == 0;
	} else {
		uint64_t left = mcp_lock_terms_taken_for_ms(lock, &found);
		if (left > 0) {
			*seen = (sight){found.stamp, mcp_lock_terms_later(now_ms(lock), left)};
			return MCP_NOT_STORED;
		}
	}
	made->has_sent = true;
	status = mcp_lock_hold_rewrite(lock, hold, &item.cas);
	return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
}

/* Gives back a lock that took longer to get than it was to be held: not stored. */
static mcp_status conclude(const mcp_lock *lock, mcp_hold *hold, const mcp_lock_attempts *made,
	mcp_status status) {
	if (status == MCP_OK && now_ms(lock) < hold->deadline_ms) {
		return MCP_OK;
	}
	if (status == MCP_OK || status == MCP_EXISTS) {
		status = mcp_lock_release(lock, hold);
		return mcp_status_is_failure(status) ? status : MCP_NOT_STORED;
	}
	status = mcp_lock_hold_outcome(made, status);
	if (may_be_stored(made, status)) {
		mcp_lock_hold_give_up(lock, hold);
	} else {
		mcp_lock_hold_close(lock, hold);
	}
	return status;
}

/* Tries what is most likely free without a look, at first and when another process has just given it back: that costs one
 * round trip. Other tries look first, because the lock is most likely still taken. */
static mcp_status try_once(const mcp_lock *lock, mcp_hold *hold, bool is_free, sight *seen) {
	mcp_lock_attempts made = {0};
	*hold = (mcp_hold){.stamp = mcp_lock_hold_new_stamp(lock)};
	mcp_status status = is_free ? add_ours(lock, hold) : MCP_NOT_STORED;
	made.has_sent = is_free && status != MCP_UNREACHABLE;
	if (status == MCP_NOT_STORED) {
		do {
			status = take_once(lock, hold, &made, seen);
		} while (mcp_lock_hold_may_try_again(lock, &made, status));
	}
	return conclude(lock, hold, &made, status);
}

void mcp_lock_hold_begin_try(const mcp_lock *lock, mcp_hold *hold, mcp_lock_terms *terms) {
	*hold = (mcp_hold){.stamp = mcp_lock_hold_new_stamp(lock)};
	mcp_lock_terms_make(lock, hold->stamp, terms);
}

mcp_status mcp_lock_hold_conclude_try(const mcp_lock *lock, mcp_hold *hold,
	const mcp_lock_terms *terms, mcp_status added) {
	mcp_lock_attempts made = {.has_sent = added != MCP_UNREACHABLE};
	mcp_status status = mcp_resolve_added(lock->store, lock->key, &terms->record, added);
	if (status == MCP_OK) {
		mcp_lock_hold_believe(hold, terms);
	}
	return conclude(lock, hold, &made, status);
}

/* Extends, or closes, what is still there of ours, before anything is acquired anew. */
static mcp_status extend_open(const mcp_lock *lock, mcp_hold *hold) {
	return mcp_hold_is_open(hold) ? mcp_lock_hold_extend(lock, hold) : MCP_NOT_FOUND;
}

/* Acquires without a wait that a clock would have to be read for. */
static mcp_status acquire_at_once(const mcp_lock *lock, mcp_hold *hold) {
	sight seen;
	mcp_status status = extend_open(lock, hold);
	return status == MCP_NOT_FOUND ? try_once(lock, hold, true, &seen) : status;
}

static mcp_status wait_and_try(const mcp_lock *lock, mcp_hold *hold, mcp_pauses *pauses,
	uint64_t wait_ms) {
	mcp_wait next = mcp_waiting_begin(lock->environment, pauses);
	uint64_t end_ms = mcp_lock_terms_later(pauses->begun_ms, wait_ms);
	mcp_status status = next == MCP_WAIT_AGAIN ? extend_open(lock, hold) : MCP_NOT_FOUND;
	if (status != MCP_NOT_FOUND) {
		return status;
	}
	for (bool is_free = true; next == MCP_WAIT_AGAIN; is_free = pauses->was_rung) {
		sight seen = {.free_ms = MCP_LOCK_FOREVER};
		status = try_once(lock, hold, is_free, &seen);
		if (status != MCP_NOT_STORED) {
			return status;
		}
		mcp_waiting_note_holder(pauses, seen.stamp);
		mcp_waiting_listen(pauses, mcp_store_bell(lock->store, lock->key));
		next = mcp_waiting_pause_for(lock->environment, pauses, end_ms, seen.free_ms);
	}
	return next == MCP_WAIT_INTERRUPTED ? MCP_INTERRUPTED : status;
}

static mcp_status acquire_within(const mcp_lock *lock, mcp_hold *hold, uint64_t wait_ms) {
	mcp_pauses own = {.has_begun = false};
	mcp_pauses *pauses = lock->pauses != NULL ? lock->pauses : &own;
	mcp_status status = wait_and_try(lock, hold, pauses, wait_ms);
	return mcp_waiting_end_for_one(lock->environment, pauses, status);
}

mcp_status mcp_lock_acquire(const mcp_lock *lock, mcp_hold *hold, uint64_t wait_ms) {
	return wait_ms == 0 ? acquire_at_once(lock, hold) : acquire_within(lock, hold, wait_ms);
}

mcp_status mcp_lock_refresh(const mcp_lock *lock, mcp_hold *hold) {
	return mcp_lock_hold_is_held(lock, hold) ? mcp_lock_hold_extend(lock, hold) : MCP_NOT_FOUND;
}

mcp_status mcp_lock_hand_over(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock lasting = *lock;
	lasting.ttl_ms = mcp_lock_hold_remaining_ms(lock, hold);
	lasting.named = NULL;
	mcp_status status = lasting.ttl_ms == 0 ? MCP_NOT_FOUND : MCP_OK;
	if (status == MCP_OK && lock->named != NULL) {
		status = mcp_lock_hold_extend(&lasting, hold);
	}
	if (status == MCP_OK) {
		mcp_lock_hold_close(lock, hold);
	}
	return status;
}

/* Adopts under a stamp of its own: an earlier hold under this owner's name is lost, and its holder learns so
 * when it asks. */
static mcp_status adopt_once(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	bool is_known = found.stamp != 0 && mcp_bytes_equal(found.owner, lock->owner);
	if (!is_known || mcp_lock_terms_are_over(lock, &found)) {
		return MCP_NOT_FOUND;
	}
	return mcp_lock_hold_rewrite(lock, hold, &item.cas);
}

mcp_status mcp_lock_adopt(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock_attempts made = {0};
	mcp_status status;
	*hold = (mcp_hold){.stamp = mcp_lock_hold_new_stamp(lock)};
	do {
		status = adopt_once(lock, hold);
	} while (mcp_lock_hold_may_try_again(lock, &made, status));
	if (status == MCP_EXISTS && made.unanswered == 0) {
		status = MCP_NOT_FOUND; /* others adopt it at the same time: it is one of theirs */
	}
	bool is_open = status != MCP_NOT_FOUND && made.unanswered > 0;
	if (status != MCP_OK && is_open) {
		mcp_lock_hold_give_up(lock, hold);
	} else if (status != MCP_OK) {
		mcp_lock_hold_close(lock, hold);
	}
	return mcp_lock_hold_outcome(&made, status);
}

mcp_status mcp_lock_find_owner(const mcp_lock *lock, mcp_bytes *owner) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	*owner = found.owner;
	return mcp_lock_terms_taken_for_ms(lock, &found) == 0 ? MCP_NOT_FOUND : MCP_OK;
}

mcp_status mcp_lock_verify(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	return mcp_lock_hold_read(lock, hold, &item);
}
