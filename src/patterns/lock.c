/* Acquires, keeps and gives back a lock item. Deadlines run on the holder's monotonic clock from
 * before the write that started them, so they end before others may take the item over. */
/* SPDX-License-Identifier: MIT */
#include "lock.h"

#include "lock_terms.h"
#include "settle.h"

/* Only another write of the same holder can come between reading an item and changing it. */
#define ROUNDS_MAX 4
/* Then the server is answering, but not to writes. */
#define UNANSWERED_MAX 2

static inline uint64_t now_ms(const mcp_lock *lock) {
	return mcp_monotonic_ms(lock->environment);
}

static uint64_t new_stamp(const mcp_lock *lock) {
	uint64_t stamp;
	do {
		stamp = mcp_random_u64(lock->environment);
	} while (stamp == 0);
	return stamp;
}

static bool is_ours(const mcp_lock *lock, const mcp_hold *hold, const mcp_lock_item *item) {
	return item->stamp == hold->stamp && mcp_bytes_equal(item->owner, lock->owner);
}

static bool is_over(const mcp_lock *lock, const mcp_lock_item *item) {
	return mcp_lock_terms_left_ms(lock, item) == 0;
}

static void close_hold(mcp_hold *hold) {
	*hold = (mcp_hold){0};
}

/* Closes the hold when the item is gone or another's. */
static mcp_status read_ours(const mcp_lock *lock, mcp_hold *hold, mcp_item *item) {
	if (!mcp_hold_is_open(hold)) {
		return MCP_NOT_FOUND;
	}
	mcp_status status = mcp_store_get(lock->store, lock->key, item);
	if (mcp_status_is_failure(status)) {
		return status;
	}
	if (status == MCP_OK) {
		mcp_lock_item found = mcp_lock_terms_read(item);
		if (is_ours(lock, hold, &found)) {
			return MCP_OK;
		}
	}
	close_hold(hold);
	return MCP_NOT_FOUND;
}

bool mcp_lock_is_held(const mcp_lock *lock, const mcp_hold *hold) {
	return mcp_lock_remaining_ms(lock, hold) > 0;
}

static uint64_t left_ms(uint64_t end_ms, uint64_t now) {
	if (end_ms == MCP_LOCK_FOREVER) {
		return MCP_LOCK_FOREVER;
	}
	return end_ms > now ? end_ms - now : 0;
}

uint64_t mcp_lock_remaining_ms(const mcp_lock *lock, const mcp_hold *hold) {
	if (hold->deadline_ms == 0) {
		return 0;
	}
	uint64_t own_ms = left_ms(hold->deadline_ms, now_ms(lock));
	if (hold->until_ms == 0) {
		return own_ms;
	}
	uint64_t told_ms = left_ms(hold->until_ms, mcp_wall_ms(lock->environment));
	return told_ms < own_ms ? told_ms : own_ms;
}

/* What a change of the item in rounds has met so far. */
typedef struct attempts {
	int rounds, unanswered;
	bool has_sent; /* a write of this try, which may be there now, or come */
	bool has_seen; /* an item of ours, before a delete was sent */
} attempts;

/* May the item be looked at once more? What had no answer may have happened, or happen later: only what
 * is there then, and its cas id, say how to go on. */
static bool may_try_again(const mcp_lock *lock, attempts *made, mcp_status status) {
	made->rounds++;
	if (status == MCP_UNKNOWN && ++made->unanswered < UNANSWERED_MAX) {
		mcp_store_insist(lock->store, lock->key, MCP_INSIST_TO_SETTLE);
		return made->rounds < ROUNDS_MAX;
	}
	return status == MCP_EXISTS && made->rounds < ROUNDS_MAX;
}

/* What is known in the end. */
static mcp_status outcome(const attempts *made, mcp_status status) {
	if (mcp_status_is_failure(status) && made->unanswered > 0) {
		return MCP_UNKNOWN;
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}

/* While a write is under way the item may tell others the new end already, or still the old one. */
static void believe_the_shorter(mcp_hold *hold, const mcp_lock_terms *terms) {
	if (terms->deadline_ms < hold->deadline_ms) {
		hold->deadline_ms = terms->deadline_ms;
	}
	bool tells_earlier = hold->until_ms == 0 || terms->until_ms < hold->until_ms;
	if (terms->until_ms != 0 && tells_earlier) {
		hold->until_ms = terms->until_ms;
	}
}

static void believe(mcp_hold *hold, const mcp_lock_terms *terms) {
	hold->deadline_ms = terms->deadline_ms;
	hold->until_ms = terms->until_ms;
}

/* What the write proves is known with its answer, and what the item was before it is no longer of use. */
static void ask_for_proof(const mcp_lock *lock, mcp_hold *hold, mcp_record *record) {
	hold->proof = (mcp_proof){0};
	record->proof = mcp_store_may_prove(lock->store) ? &hold->proof : NULL;
}

/* The item that was read, or NULL: the one that the hold can prove. */
static mcp_status write_over(const mcp_lock *lock, mcp_hold *hold, mcp_record *record,
	const uint64_t *cas) {
	mcp_proof proof = hold->proof;
	ask_for_proof(lock, hold, record);
	return cas != NULL ? mcp_store_cas(lock->store, lock->key, record, *cas)
					   : mcp_store_cas_proven(lock->store, lock->key, record, &proof);
}

/* Writes the item again, as ours and with new ends. While the answer is out, the shorter of both holds;
 * without an answer it goes on holding. MCP_EXISTS: look at the item again. */
static mcp_status rewrite(const mcp_lock *lock, mcp_hold *hold, const uint64_t *cas) {
	if (!mcp_lock_is_held(lock, hold)) {
		/* Others may have held it since; an add of ours that arrived late has brought it back. */
		hold->fencing = 0;
	}
	mcp_lock_terms terms;
	mcp_lock_terms_make(lock, hold->stamp, &terms);
	believe_the_shorter(hold, &terms);
	mcp_status status = write_over(lock, hold, &terms.record, cas);
	if (status != MCP_OK) {
		return status;
	}
	believe(hold, &terms);
	/* It may have taken as long as the lock lives. */
	return mcp_lock_is_held(lock, hold) ? MCP_OK : MCP_EXISTS;
}

/* The item's end has come for others, so the hold is lost, although no other process has taken it. Remove
 * the item: a host with a slower clock would still wait for its end. */
static mcp_status clear_away(const mcp_lock *lock, uint64_t cas) {
	mcp_status status = mcp_store_delete_if(lock->store, lock->key, cas);
	return status == MCP_OK ? MCP_NOT_FOUND : status;
}

/* By this host's clock, as `is_over` has it of an item that was read: a hold believes what its item tells, or less. */
static bool is_hold_over(const mcp_lock *lock, const mcp_hold *hold) {
	mcp_lock_item told = {.until_ms = hold->until_ms != 0 ? hold->until_ms : MCP_LOCK_ITEM_NEVER};
	return is_over(lock, &told);
}

/* Without a look, while nothing can have changed it unseen. MCP_UNSUPPORTED, MCP_EXISTS: look. */
static mcp_status extend_proven(const mcp_lock *lock, mcp_hold *hold) {
	bool is_proven = hold->proof.cas != 0 && !is_hold_over(lock, hold);
	return is_proven ? rewrite(lock, hold, NULL) : MCP_UNSUPPORTED;
}

static mcp_status extend_once(const mcp_lock *lock, mcp_hold *hold) {
	mcp_status proven = extend_proven(lock, hold);
	if (proven != MCP_UNSUPPORTED && proven != MCP_EXISTS) {
		return proven;
	}
	mcp_item item;
	mcp_status status = read_ours(lock, hold, &item);
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	return is_over(lock, &found) ? clear_away(lock, item.cas) : rewrite(lock, hold, &item.cas);
}

/* Run out or not: as long as the item is ours, no other holder has come in between. */
static mcp_status extend(const mcp_lock *lock, mcp_hold *hold) {
	attempts made = {0};
	mcp_status status;
	do {
		status = extend_once(lock, hold);
	} while (may_try_again(lock, &made, status));
	if (status == MCP_NOT_FOUND) {
		close_hold(hold);
	}
	return outcome(&made, status);
}

mcp_status mcp_lock_refresh(const mcp_lock *lock, mcp_hold *hold) {
	return mcp_lock_is_held(lock, hold) ? extend(lock, hold) : MCP_NOT_FOUND;
}

/* "Taken" may be by an earlier write of the same try, and a refusal may come from a proxy that has sent
 * the request on: only a look that finds another's item says that nothing is left. */
static bool may_be_stored(const attempts *made, mcp_status status) {
	return made->has_sent && mcp_status_is_failure(status);
}

static mcp_status add_ours(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock_terms terms;
	mcp_lock_terms_make(lock, hold->stamp, &terms);
	ask_for_proof(lock, hold, &terms.record);
	mcp_status status = mcp_settle_add(lock->store, lock->key, &terms.record);
	if (status == MCP_OK) {
		believe(hold, &terms);
	}
	return status;
}

/* L11: takes what is absent, over, or ours already, by a write of this try that arrived late. MCP_EXISTS:
 * look again. MCP_NOT_STORED: another's, until *free_ms of the monotonic clock at the latest. */
static mcp_status take_once(const mcp_lock *lock, mcp_hold *hold, attempts *made,
	uint64_t *free_ms) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status == MCP_NOT_FOUND) {
		made->has_sent = true;
		status = add_ours(lock, hold);
		/* What came in between may be an add of this try that has arrived late. */
		return status == MCP_NOT_STORED ? MCP_EXISTS : status;
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	if (is_ours(lock, hold, &found)) {
		made->unanswered += made->unanswered == 0;
	} else {
		uint64_t left = mcp_lock_terms_left_ms(lock, &found);
		if (left > 0) {
			*free_ms = mcp_lock_terms_later(now_ms(lock), left);
			return MCP_NOT_STORED;
		}
	}
	made->has_sent = true;
	status = rewrite(lock, hold, &item.cas);
	return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
}

/* What took longer to get than it was to be held is given back: not stored. */
static mcp_status conclude(const mcp_lock *lock, mcp_hold *hold, const attempts *made,
	mcp_status status) {
	if (status == MCP_OK && mcp_lock_is_held(lock, hold)) {
		return MCP_OK;
	}
	if (status == MCP_OK || status == MCP_EXISTS) {
		status = mcp_lock_release(lock, hold);
		return mcp_status_is_failure(status) ? status : MCP_NOT_STORED;
	}
	status = outcome(made, status);
	hold->deadline_ms = 0;
	if (!may_be_stored(made, status)) {
		close_hold(hold);
	}
	return status;
}

/* The first try does not look: a free lock costs one round trip. Later tries look first, because the lock
 * is most likely still taken. */
static mcp_status try_once(const mcp_lock *lock, mcp_hold *hold, bool is_first, uint64_t *free_ms) {
	attempts made = {0};
	*hold = (mcp_hold){.stamp = new_stamp(lock)};
	mcp_status status = is_first ? add_ours(lock, hold) : MCP_NOT_STORED;
	made.has_sent = is_first && status != MCP_UNREACHABLE;
	if (status == MCP_NOT_STORED) {
		do {
			status = take_once(lock, hold, &made, free_ms);
		} while (may_try_again(lock, &made, status));
	}
	return conclude(lock, hold, &made, status);
}

/* Before anything is acquired anew, what is still there of ours is extended, or closed. */
static mcp_status extend_open(const mcp_lock *lock, mcp_hold *hold) {
	return mcp_hold_is_open(hold) ? extend(lock, hold) : MCP_NOT_FOUND;
}

mcp_status mcp_lock_acquire(const mcp_lock *lock, mcp_hold *hold, uint64_t wait_ms) {
	mcp_pauses own = {.has_begun = false};
	mcp_pauses *pauses = lock->pauses != NULL ? lock->pauses : &own;
	mcp_wait next = mcp_waiting_begin(lock->environment, pauses);
	uint64_t end_ms = mcp_lock_terms_later(pauses->begun_ms, wait_ms);
	mcp_status status = next == MCP_WAIT_AGAIN ? extend_open(lock, hold) : MCP_NOT_FOUND;
	if (status != MCP_NOT_FOUND) {
		return status;
	}
	for (bool is_first = true; next == MCP_WAIT_AGAIN; is_first = false) {
		uint64_t free_ms = MCP_LOCK_FOREVER;
		status = try_once(lock, hold, is_first, &free_ms);
		if (status != MCP_NOT_STORED) {
			return status;
		}
		next = mcp_waiting_pause_for(lock->environment, pauses, end_ms, free_ms);
	}
	return next == MCP_WAIT_INTERRUPTED ? MCP_INTERRUPTED : status;
}

/* Under a stamp of its own: an earlier hold under this owner's name is lost, and its holder learns so when
 * it asks. */
static mcp_status adopt_once(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	bool is_known = found.stamp != 0 && mcp_bytes_equal(found.owner, lock->owner);
	if (!is_known || is_over(lock, &found)) {
		return MCP_NOT_FOUND;
	}
	return rewrite(lock, hold, &item.cas);
}

mcp_status mcp_lock_adopt(const mcp_lock *lock, mcp_hold *hold) {
	attempts made = {0};
	mcp_status status;
	*hold = (mcp_hold){.stamp = new_stamp(lock)};
	do {
		status = adopt_once(lock, hold);
	} while (may_try_again(lock, &made, status));
	if (status == MCP_EXISTS && made.unanswered == 0) {
		status = MCP_NOT_FOUND; /* others adopt it at the same time: it is one of theirs */
	}
	bool is_open = status == MCP_OK || (status != MCP_NOT_FOUND && made.unanswered > 0);
	if (!is_open) {
		close_hold(hold);
	}
	return outcome(&made, status);
}

/* As extend_proven. */
static mcp_status delete_proven(const mcp_lock *lock, mcp_hold *hold, bool *was_over) {
	mcp_proof proof = hold->proof;
	if (proof.cas == 0) {
		return MCP_UNSUPPORTED;
	}
	hold->proof = (mcp_proof){0};
	*was_over = is_hold_over(lock, hold);
	return mcp_store_delete_proven(lock->store, lock->key, &proof);
}

static mcp_status delete_ours(const mcp_lock *lock, mcp_hold *hold, attempts *made,
	bool *was_over) {
	mcp_status status = delete_proven(lock, hold, was_over);
	if (status != MCP_UNSUPPORTED && status != MCP_EXISTS) {
		return status;
	}
	mcp_item item;
	status = read_ours(lock, hold, &item);
	if (status != MCP_OK) {
		return status;
	}
	made->has_seen = true;
	mcp_lock_item found = mcp_lock_terms_read(&item);
	*was_over = is_over(lock, &found);
	return mcp_store_delete_if(lock->store, lock->key, item.cas);
}

mcp_status mcp_lock_release(const mcp_lock *lock, mcp_hold *hold) {
	attempts made = {0};
	mcp_status status;
	bool was_over = false;
	hold->deadline_ms = 0;
	if (mcp_hold_is_open(hold)) {
		mcp_store_insist(lock->store, lock->key, MCP_INSIST_TO_GIVE_BACK);
	}
	do {
		status = delete_ours(lock, hold, &made, &was_over);
	} while (may_try_again(lock, &made, status));
	if (status == MCP_NOT_FOUND && made.unanswered > 0) {
		/* Gone. It was still ours when the delete was sent that had no answer, if it was read before; else the server
		 * may have lost it earlier. */
		status = made.has_seen ? MCP_OK : MCP_UNKNOWN;
	}
	if (status == MCP_OK || status == MCP_NOT_FOUND) {
		close_hold(hold);
	}
	/* It was cleared away, and others could have had it before. */
	return status == MCP_OK && was_over ? MCP_NOT_FOUND : outcome(&made, status);
}

mcp_status mcp_lock_force_release(const mcp_lock *lock) {
	return mcp_store_delete(lock->store, lock->key);
}

mcp_status mcp_lock_find_owner(const mcp_lock *lock, mcp_bytes *owner) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	*owner = found.owner;
	return is_over(lock, &found) ? MCP_NOT_FOUND : MCP_OK;
}

mcp_status mcp_lock_verify(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	return read_ours(lock, hold, &item);
}

/* The server's start is asked for first: an item found afterwards then lives in a server that started
 * no later, and a restart in between shows as a lost lock, never as a number too large. */
mcp_status mcp_lock_fence(const mcp_lock *lock, mcp_hold *hold, uint64_t *token) {
	if (!mcp_lock_is_held(lock, hold)) {
		return MCP_NOT_FOUND;
	}
	if (hold->fencing == 0) {
		uint64_t started_us;
		mcp_status status = mcp_store_started_us(lock->store, lock->key, &started_us);
		if (status != MCP_OK) {
			return status;
		}
		mcp_item item;
		status = read_ours(lock, hold, &item);
		if (status != MCP_OK) {
			return status;
		}
		if (item.cas == 0) {
			return MCP_NO_CAS;
		}
		hold->fencing = started_us + item.cas;
	}
	*token = hold->fencing;
	return MCP_OK;
}
