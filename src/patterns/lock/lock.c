/* Acquires, keeps and releases a lock item. A deadline counts on the holder's monotonic clock, and starts before the
 * write of the item. Therefore, it ends before another holder may take over the item. */
/* SPDX-License-Identifier: MIT */
#include "lock.h"

#include "../../core/bytes.h"

#define ATTEMPTS_MAX 2

/* Read the key after an `add` that was not answered. MCP_OK: the record is stored. MCP_NOT_STORED: another record is
 * stored. MCP_NOT_FOUND: no record is stored. */
static mcp_status look_for_added(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_item item;
	mcp_store_bypass_breaker(store, key, MCP_BYPASS_TO_RESOLVE);
	mcp_status status = mcp_store_get(store, key, &item);
	if (mcp_status_is_failure(status)) {
		return MCP_UNKNOWN;
	}
	if (status == MCP_OK && !mcp_item_is(&item, record)) {
		return MCP_NOT_STORED;
	}
	return status;
}

/* Resolve an `add` that was not answered. */
static mcp_status resolve_added(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = MCP_UNKNOWN;
	for (int attempt = 1; status == MCP_UNKNOWN; attempt++) {
		status = look_for_added(store, key, record);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		if (attempt >= ATTEMPTS_MAX) {
			return MCP_UNKNOWN;
		}
		status = mcp_store_add(store, key, record);
		if (status != MCP_OK) {
			/* The first `add` might have arrived, whatever the result of the second one is. */
			status = MCP_UNKNOWN;
		}
	}
	return status;
}

/* --- ends of a hold: on the steady clock for its holder, on the wall clock for others; memcached only cleans up --- */

/* Under load, memcached's clock lags by more than any fixed margin, and then catches up in one step. If memcached
 * drops an item too late, this does no harm, because another holder takes over the item. If memcached dropped it
 * before the holder's end, there could be 2 holders. Therefore, memcached only cleans up items that expired long
 * ago. */
#define CLEARED_AFTER_MS 60000
/* Margin if memcached's TTL is the end, because memcached's clock can advance by 2 seconds in one step (see
 * mcp_expiry_from_ttl). */
#define SKIPPED_TICK_MS 1000

/* Read the steady clock before the wall clock, so that the time between the reads shortens the hold, and never
 * extends it. */
void mcp_lock_terms_make(const mcp_lock *lock, uint64_t stamp, mcp_lock_terms *terms) {
	bool has_end = lock->ttl_ms != MCP_LOCK_FOREVER;
	bool believes_clocks = lock->skew_ms != MCP_LOCK_FOREVER;
	bool tells_end = has_end && believes_clocks;
	terms->deadline_ms = mcp_lock_terms_later(mcp_monotonic_ms(lock->environment), lock->ttl_ms);
	uint64_t wall_ms = mcp_wall_ms(lock->environment);
	terms->until_ms = tells_end ? mcp_lock_terms_later(wall_ms, lock->ttl_ms) : 0;
	mcp_lock_item item = {
		.stamp = stamp,
		.until_ms = tells_end ? terms->until_ms : MCP_LOCK_ITEM_NEVER,
	};
	const mcp_holder_label *label =
		lock->named != NULL ? mcp_holder_register(lock->named, stamp) : NULL;
	uint64_t longer_ms = believes_clocks ? CLEARED_AFTER_MS : SKIPPED_TICK_MS;
	terms->record = (mcp_record){
		.head = mcp_bytes_of(terms->head, mcp_lock_item_write_head(&item, label, terms->head)),
		.body = lock->owner,
		.ttl_ms = has_end ? mcp_lock_terms_later(lock->ttl_ms, longer_ms) : MCP_TTL_FOREVER,
		.is_claim = true,
	};
}

mcp_lock_item mcp_lock_terms_read(const mcp_item *item) {
	mcp_lock_item read;
	if (!mcp_lock_item_read(item->value, &read)) {
		read = (mcp_lock_item){.owner = item->value, .until_ms = MCP_LOCK_ITEM_NEVER};
	}
	return read;
}

static uint64_t left_for_others_ms(const mcp_lock *lock, const mcp_lock_item *item) {
	uint64_t end_ms = mcp_lock_terms_later(item->until_ms, lock->skew_ms);
	uint64_t wall_ms = mcp_wall_ms(lock->environment);
	return end_ms > wall_ms ? end_ms - wall_ms : 0;
}

uint64_t mcp_lock_terms_taken_for_ms(const mcp_lock *lock, const mcp_lock_item *item) {
	bool is_orphan =
		lock->holder != NULL && mcp_holder_knows_orphan(lock->holder, &item->holder, item->stamp);
	return is_orphan ? 0 : left_for_others_ms(lock, item);
}

/* --- keeping a hold, with 2 clocks, and with `cas` on the CAS value of a read or of the last write's proof --- */

/* Maximum number of rounds. Only another write of the same holder can come between the read and the change of an
 * item. */
#define ROUNDS_MAX 4
/* Maximum number of writes that are not answered. If there are more, the server answers only reads. */
#define UNANSWERED_MAX 2

static inline uint64_t now_ms(const mcp_lock *lock) {
	return mcp_monotonic_ms(lock->environment);
}

/* Trust the terms of a write that was executed. */
static void believe(mcp_hold *hold, const mcp_lock_terms *terms) {
	hold->deadline_ms = terms->deadline_ms;
	hold->until_ms = terms->until_ms;
}

/* Stop trusting the hold, and let other processes of this host take over the item. The hold remains open, because the
 * item might be stored. */
static void give_up(const mcp_lock *lock, mcp_hold *hold) {
	hold->deadline_ms = 0;
	mcp_holder_unregister(lock->holder, hold->stamp);
}

void mcp_lock_forget(const mcp_lock *lock, mcp_hold *hold) {
	mcp_holder_unregister(lock->holder, hold->stamp);
	*hold = (mcp_hold){0};
}

static bool is_over(const mcp_lock *lock, const mcp_lock_item *item) {
	return left_for_others_ms(lock, item) == 0;
}

/* Request a proof, which is known after the write's reply, and clear the proof of the previous item. */
static void ask_for_proof(const mcp_lock *lock, mcp_hold *hold, mcp_record *record) {
	hold->proof = (mcp_proof){0};
	record->proof = mcp_store_may_prove(lock->store) ? &hold->proof : NULL;
}

/* Check the hold with this host's wall clock, like an item that was read, because a hold must not outlast its
 * item. */
static bool has_ended_for_others(const mcp_lock *lock, const mcp_hold *hold) {
	mcp_lock_item as_shown = {
		.until_ms = hold->until_ms != 0 ? hold->until_ms : MCP_LOCK_ITEM_NEVER};
	return is_over(lock, &as_shown);
}

/* Progress of the rounds that change an item. */
typedef struct attempts {
	int rounds, unanswered;
	bool has_sent; /* a write of this attempt might be stored, now or later */
	bool has_seen; /* an item of ours was read before a delete was sent */
} attempts;

static bool is_of(const mcp_lock *lock, const mcp_hold *hold, const mcp_lock_item *item) {
	return item->stamp == hold->stamp && mcp_bytes_equal(item->owner, lock->owner);
}

/* Read the item. Closes the hold, and returns MCP_NOT_FOUND, if the item is missing or belongs to another holder. */
static mcp_status read_ours(const mcp_lock *lock, mcp_hold *hold, mcp_item *item,
	mcp_lock_item *found) {
	if (!mcp_hold_is_open(hold)) {
		return MCP_NOT_FOUND;
	}
	mcp_status status = mcp_store_get(lock->store, lock->key, item);
	if (mcp_status_is_failure(status)) {
		return status;
	}
	if (status == MCP_OK) {
		*found = mcp_lock_terms_read(item);
		if (is_of(lock, hold, found)) {
			return MCP_OK;
		}
	}
	mcp_lock_forget(lock, hold);
	return MCP_NOT_FOUND;
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
	uint64_t shown_ms = left_ms(hold->until_ms, mcp_wall_ms(lock->environment));
	return shown_ms < own_ms ? shown_ms : own_ms;
}

/* Same as mcp_lock_remaining_ms() > 0, but the wall clock is read only if the steady clock does not decide. */
bool mcp_lock_is_held(const mcp_lock *lock, const mcp_hold *hold) {
	return hold->deadline_ms != 0 && now_ms(lock) < hold->deadline_ms &&
		(hold->until_ms == 0 || mcp_wall_ms(lock->environment) < hold->until_ms);
}

static bool may_try_again(const mcp_lock *lock, attempts *made, mcp_status status) {
	made->rounds++;
	if (status == MCP_UNKNOWN && ++made->unanswered < UNANSWERED_MAX) {
		mcp_store_bypass_breaker(lock->store, lock->key, MCP_BYPASS_TO_RESOLVE);
		return made->rounds < ROUNDS_MAX;
	}
	return status == MCP_EXISTS && made->rounds < ROUNDS_MAX;
}

static mcp_status outcome(const attempts *made, mcp_status status) {
	if (mcp_status_is_failure(status) && made->unanswered > 0) {
		return MCP_UNKNOWN;
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}

/* Trust the earlier of the two ends, because during a write, the item can show the new or the previous end to
 * others. */
static void believe_the_shorter(mcp_hold *hold, const mcp_lock_terms *terms) {
	if (terms->deadline_ms < hold->deadline_ms) {
		hold->deadline_ms = terms->deadline_ms;
	}
	bool tells_earlier = hold->until_ms == 0 || terms->until_ms < hold->until_ms;
	if (terms->until_ms != 0 && tells_earlier) {
		hold->until_ms = terms->until_ms;
	}
}

/* Replace the item with this CAS value. `cas` NULL: replace the item of the hold's proof. */
static mcp_status write_over(const mcp_lock *lock, mcp_hold *hold, mcp_record *record,
	const uint64_t *cas) {
	mcp_proof proof = hold->proof;
	ask_for_proof(lock, hold, record);
	return cas != NULL ? mcp_store_cas(lock->store, lock->key, record, *cas)
					   : mcp_store_cas_proven(lock->store, lock->key, record, &proof);
}

static mcp_status rewrite(const mcp_lock *lock, mcp_hold *hold, const uint64_t *cas) {
	if (!mcp_lock_is_held(lock, hold)) {
		/* Others might have held the lock in the meantime, before a late `add` of ours stored the item again. */
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
	/* The write might have taken longer than the TTL. */
	return mcp_lock_is_held(lock, hold) ? MCP_OK : MCP_EXISTS;
}

/* Extend the hold, without a read if the proof detects every change of the item. */
static mcp_status extend_once(const mcp_lock *lock, mcp_hold *hold) {
	bool is_proven = hold->proof.cas != 0 && !has_ended_for_others(lock, hold);
	mcp_status status = is_proven ? rewrite(lock, hold, NULL) : MCP_UNSUPPORTED;
	if (status != MCP_UNSUPPORTED && status != MCP_EXISTS) {
		return status;
	}
	mcp_item item;
	mcp_lock_item found;
	status = read_ours(lock, hold, &item, &found);
	if (status != MCP_OK) {
		return status;
	}
	if (!is_over(lock, &found)) {
		return rewrite(lock, hold, &item.cas);
	}
	/* The hold is lost, even if no other holder has taken over the item. Delete the item, because a host with a
	 * slower clock would still wait for its end. */
	status = mcp_store_delete_if(lock->store, lock->key, item.cas);
	return status == MCP_OK ? MCP_NOT_FOUND : status;
}

static mcp_status extend(const mcp_lock *lock, mcp_hold *hold) {
	attempts made = {0};
	mcp_status status;
	do {
		status = extend_once(lock, hold);
	} while (may_try_again(lock, &made, status));
	if (status == MCP_NOT_FOUND) {
		mcp_lock_forget(lock, hold);
	} else if (status != MCP_OK && !mcp_lock_is_held(lock, hold)) {
		give_up(lock, hold);
	}
	if (status == MCP_EXISTS && !mcp_lock_is_held(lock, hold)) {
		/* each attempt took longer than the TTL, and the item must still be released */
		return MCP_NOT_FOUND;
	}
	return outcome(&made, status);
}

/* --- release --- */

static mcp_status delete_ours(const mcp_lock *lock, mcp_hold *hold, attempts *made,
	bool *was_over) {
	/* Delete without a read if the proof detects every change of the item. */
	mcp_proof proof = hold->proof;
	mcp_status status = MCP_UNSUPPORTED;
	if (proof.cas != 0) {
		hold->proof = (mcp_proof){0};
		*was_over = has_ended_for_others(lock, hold);
		status = mcp_store_delete_proven(lock->store, lock->key, &proof);
	}
	if (status != MCP_UNSUPPORTED && status != MCP_EXISTS) {
		return status;
	}
	mcp_item item;
	mcp_lock_item found;
	status = read_ours(lock, hold, &item, &found);
	if (status != MCP_OK) {
		return status;
	}
	made->has_seen = true;
	*was_over = is_over(lock, &found);
	return mcp_store_delete_if(lock->store, lock->key, item.cas);
}

mcp_status mcp_lock_release(const mcp_lock *lock, mcp_hold *hold) {
	attempts made = {0};
	mcp_status status;
	bool was_over = false;
	hold->deadline_ms = 0;
	if (mcp_hold_is_open(hold)) {
		mcp_store_bypass_breaker(lock->store, lock->key, MCP_BYPASS_TO_RELEASE);
	}
	do {
		status = delete_ours(lock, hold, &made, &was_over);
	} while (may_try_again(lock, &made, status));
	if (status == MCP_NOT_FOUND && made.unanswered > 0) {
		/* The item is missing. If it was read before the delete that was not answered, it was still ours. Otherwise,
		 * the server might have lost it before. */
		status = made.has_seen ? MCP_OK : MCP_UNKNOWN;
	}
	mcp_holder_unregister(lock->holder, hold->stamp);
	if (status == MCP_OK || status == MCP_NOT_FOUND) {
		*hold = (mcp_hold){0};
	}
	/* The lock had expired for other callers, which might have held it in between. */
	return status == MCP_OK && was_over ? MCP_NOT_FOUND : outcome(&made, status);
}

mcp_status mcp_lock_force_release(const mcp_lock *lock) {
	return mcp_store_delete(lock->store, lock->key);
}

static mcp_status add_ours(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock_terms terms;
	mcp_lock_terms_make(lock, hold->stamp, &terms);
	ask_for_proof(lock, hold, &terms.record);
	mcp_status status = mcp_store_add(lock->store, lock->key, &terms.record);
	if (status == MCP_UNKNOWN) {
		status = resolve_added(lock->store, lock->key, &terms.record);
	}
	if (status == MCP_OK) {
		believe(hold, &terms);
	}
	return status;
}

/* Another holder's item, as a read has found it. */
typedef struct sight {
	uint64_t stamp;
	uint64_t free_ms; /* monotonic time at which it expires at the latest */
} sight;

/* Acquire the lock if its item is missing or expired, or is ours because of a late write of this attempt (L11).
 * MCP_EXISTS: read again. MCP_NOT_STORED: another holder has the item, which is noted in *seen. */
static mcp_status take_once(const mcp_lock *lock, mcp_hold *hold, attempts *made, sight *seen) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status == MCP_NOT_FOUND) {
		made->has_sent = true;
		status = add_ours(lock, hold);
		/* Read again, because the item might be from a late `add` of this attempt. */
		return status == MCP_NOT_STORED ? MCP_EXISTS : status;
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	if (is_of(lock, hold, &found)) {
		made->unanswered += made->unanswered == 0;
	} else {
		uint64_t left = mcp_lock_terms_taken_for_ms(lock, &found);
		if (left > 0) {
			*seen = (sight){found.stamp, mcp_lock_terms_later(now_ms(lock), left)};
			return MCP_NOT_STORED;
		}
	}
	made->has_sent = true;
	status = rewrite(lock, hold, &item.cas);
	return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
}

/* Conclude with this status. If the acquisition took longer than the TTL, release the lock, and return
 * MCP_NOT_STORED. */
static mcp_status conclude_acquisition(const mcp_lock *lock, mcp_hold *hold, const attempts *made,
	mcp_status status) {
	if (status == MCP_OK && now_ms(lock) < hold->deadline_ms) {
		return MCP_OK;
	}
	if (status == MCP_OK || status == MCP_EXISTS) {
		status = mcp_lock_release(lock, hold);
		return mcp_status_is_failure(status) ? status : MCP_NOT_STORED;
	}
	status = outcome(made, status);
	/* Keep the hold open if an item might be stored. An earlier write of this attempt might have caused
	 * MCP_NOT_STORED, and a proxy might refuse a request that it has forwarded. Only a read of another holder's item
	 * excludes this. */
	if (made->has_sent && mcp_status_is_failure(status)) {
		give_up(lock, hold);
	} else {
		mcp_lock_forget(lock, hold);
	}
	return status;
}

/* If the lock is probably free (first attempt, or just released by another process), send `add` without a read, which
 * is 1 round trip. Other attempts read first, because the lock is probably still held. */
static mcp_status try_once(const mcp_lock *lock, mcp_hold *hold, bool is_free, sight *seen) {
	attempts made = {0};
	*hold = (mcp_hold){.stamp = mcp_random_id(lock->environment)};
	mcp_status status = is_free ? add_ours(lock, hold) : MCP_NOT_STORED;
	made.has_sent = is_free && status != MCP_UNREACHABLE;
	if (status == MCP_NOT_STORED) {
		do {
			status = take_once(lock, hold, &made, seen);
		} while (may_try_again(lock, &made, status));
	}
	return conclude_acquisition(lock, hold, &made, status);
}

void mcp_lock_hold_begin_try(const mcp_lock *lock, mcp_hold *hold, mcp_lock_terms *terms) {
	*hold = (mcp_hold){.stamp = mcp_random_id(lock->environment)};
	mcp_lock_terms_make(lock, hold->stamp, terms);
}

mcp_status mcp_lock_hold_conclude_try(const mcp_lock *lock, mcp_hold *hold,
	const mcp_lock_terms *terms, mcp_status added) {
	attempts made = {.has_sent = added != MCP_UNREACHABLE};
	mcp_status status =
		added == MCP_UNKNOWN ? resolve_added(lock->store, lock->key, &terms->record) : added;
	if (status == MCP_OK) {
		believe(hold, terms);
	}
	return conclude_acquisition(lock, hold, &made, status);
}

/* Before a new acquisition, extend the existing item of this hold, or close the hold. */
static mcp_status extend_open(const mcp_lock *lock, mcp_hold *hold) {
	return mcp_hold_is_open(hold) ? extend(lock, hold) : MCP_NOT_FOUND;
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
		mcp_waiting_see_holder(pauses, seen.stamp);
		mcp_waiting_listen(pauses, mcp_store_bell(lock->store, lock->key));
		next = mcp_waiting_pause_for(lock->environment, pauses, end_ms, seen.free_ms);
	}
	return next == MCP_WAIT_INTERRUPTED ? MCP_INTERRUPTED : status;
}

mcp_status mcp_lock_acquire(const mcp_lock *lock, mcp_hold *hold, uint64_t wait_ms) {
	if (wait_ms == 0) {
		/* Make one attempt, and do not read a clock for a wait. */
		sight seen;
		mcp_status extended = extend_open(lock, hold);
		return extended == MCP_NOT_FOUND ? try_once(lock, hold, true, &seen) : extended;
	}
	mcp_pauses own = {.has_begun = false};
	mcp_pauses *pauses = lock->pauses != NULL ? lock->pauses : &own;
	mcp_status status = wait_and_try(lock, hold, pauses, wait_ms);
	return mcp_waiting_end_for_one(lock->environment, pauses, status);
}

mcp_status mcp_lock_refresh(const mcp_lock *lock, mcp_hold *hold) {
	return mcp_lock_is_held(lock, hold) ? extend(lock, hold) : MCP_NOT_FOUND;
}

mcp_status mcp_lock_hand_over(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock lasting = *lock;
	lasting.ttl_ms = mcp_lock_remaining_ms(lock, hold);
	lasting.named = NULL;
	mcp_status status = lasting.ttl_ms == 0 ? MCP_NOT_FOUND : MCP_OK;
	if (status == MCP_OK && lock->named != NULL) {
		status = extend(&lasting, hold);
	}
	if (status == MCP_OK) {
		mcp_lock_forget(lock, hold);
	}
	return status;
}

/* Adopt the item under a new stamp. The previous hold under this owner's name is then lost, and its holder detects
 * this at the next check. */
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
	*hold = (mcp_hold){.stamp = mcp_random_id(lock->environment)};
	do {
		status = adopt_once(lock, hold);
	} while (may_try_again(lock, &made, status));
	if (status == MCP_EXISTS && made.unanswered == 0) {
		status = MCP_NOT_FOUND; /* another process adopted it concurrently */
	}
	bool is_open = status != MCP_NOT_FOUND && made.unanswered > 0;
	if (status != MCP_OK && is_open) {
		give_up(lock, hold);
	} else if (status != MCP_OK) {
		mcp_lock_forget(lock, hold);
	}
	return outcome(&made, status);
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
	mcp_lock_item found;
	return read_ours(lock, hold, &item, &found);
}

/* Fencing tokens (L9): the larger part of a token is the server's start time. If the server reports no start time
 * (behind a proxy), tokens come from the fence, a number that all locks of a prefix share. The fence begins with the
 * wall clock of its creator, in microseconds. Token T is issued only if this host's clock, read before T was drawn,
 * was past T by more than the clock skew. Then every host's clock was past T when the fence was at T. While the fence
 * exists, its next numbers are larger. If the fence is lost, it restarts above T. The first number of a fence is from
 * a clock that was read after an item that is not a number. A cas then replaces this item, which has not changed
 * since that read. At T, the fence was a number, so the item of a new fence was read after T. An `add` of the first
 * number would be wrong: if it was delayed in the network or in a paused process, it could restart a lost fence below
 * T. T is drawn before the lock's item is read. The next holder takes the lock after this read, and draws its token
 * later. */

#define US_PER_MS 1000
/* Maximum number of rounds. Each further round means that the fence was lost or created in between, or that other
 * processes drew 1,000 numbers. */
#define FENCE_ROUNDS_MAX 8
/* Maximum wait of a call for a new fence, even if the fence is lost repeatedly. */
#define WAIT_MAX_MS 10000
/* A fence can be ahead of this host's clock by the skew, because of its creator's clock, plus this margin for the
 * numbers that were drawn since. */
#define COUNTED_MS 1000

typedef struct fence {
	const mcp_lock *lock;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_pauses *pauses;
} fence;

static mcp_status refuse_fence(const mcp_lock *lock, mcp_fence_bar bar, uint64_t ms) {
	if (lock->refusal != NULL) {
		*lock->refusal = (mcp_fence_refusal){bar, ms};
	}
	return MCP_UNSUPPORTED;
}

/* Replace an item that is not a number with the first number. It is from a clock that is read after the item.
 * MCP_EXISTS: contention. */
static mcp_status start(const fence *self, uint64_t *number) {
	mcp_store *store = self->lock->store;
	mcp_item item;
	mcp_status status = mcp_store_get(store, &self->key, &item);
	if (status != MCP_OK) {
		return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
	}
	if (mcp_decimal_parse_u64(item.value, number)) {
		return MCP_EXISTS;
	}
	if (item.cas == 0) {
		return MCP_NO_CAS;
	}
	char digits[MCP_DECIMAL_MAX_LENGTH];
	*number = mcp_wall_ms(self->lock->environment) * US_PER_MS;
	mcp_record record = {
		.body = mcp_bytes_of(digits, mcp_decimal_format_u64(*number, digits)),
		.ttl_ms = MCP_TTL_FOREVER,
	};
	status = mcp_store_cas(store, &self->key, &record, item.cas);
	return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
}

/* Draw the next or first number of the fence. MCP_EXISTS: draw again. Never returns MCP_NOT_FOUND, which would mean
 * that the lock is lost. */
static mcp_status draw_once(const fence *self, uint64_t *number) {
	mcp_store *store = self->lock->store;
	mcp_status status = mcp_store_increment(store, &self->key, 1, number);
	if (status == MCP_NOT_FOUND) {
		/* Add the item that becomes the fence, unless another caller has. */
		mcp_record record = {.body = mcp_bytes_of("unset", 5), .ttl_ms = MCP_TTL_FOREVER};
		status = mcp_store_add(store, &self->key, &record);
		if (status != MCP_OK && status != MCP_NOT_STORED) {
			return status == MCP_NOT_FOUND ? MCP_PROTOCOL : status;
		}
	} else if (status != MCP_NOT_A_NUMBER) {
		return status;
	}
	return start(self, number);
}

static mcp_status draw(const fence *self, uint64_t *number) {
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < FENCE_ROUNDS_MAX && status == MCP_EXISTS; round++) {
		status = draw_once(self, number);
	}
	return status;
}

/* Earliest time on this host's clock at which every host's clock is past the number. */
static uint64_t passed_at_ms(const mcp_lock *lock, uint64_t number) {
	uint64_t end_ms = mcp_lock_terms_later(number / US_PER_MS, mcp_lock_fence_skew_ms(lock));
	return mcp_lock_terms_later(end_ms, 1);
}

/* Wait until every host's clock is past the number, if the wait is short and the hold lasts until then. */
static mcp_status wait_for(const fence *self, const mcp_hold *hold, uint64_t number) {
	const mcp_lock *lock = self->lock;
	uint64_t wall_ms = mcp_wall_ms(lock->environment);
	uint64_t end_ms = passed_at_ms(lock, number);
	uint64_t wait_ms = end_ms > wall_ms ? end_ms - wall_ms : 0;
	if (!mcp_lock_is_held(lock, hold)) {
		return MCP_NOT_FOUND;
	}
	uint64_t ahead_ms = mcp_lock_terms_later(mcp_lock_fence_skew_ms(lock), COUNTED_MS);
	if (wait_ms > mcp_lock_terms_later(ahead_ms, mcp_lock_fence_skew_ms(lock))) {
		return refuse_fence(lock, MCP_FENCE_AHEAD, number / US_PER_MS - wall_ms);
	}
	uint64_t now_ms = mcp_monotonic_ms(lock->environment);
	uint64_t spent_ms = mcp_pauses_waited_ms(self->pauses, now_ms);
	if (spent_ms + wait_ms > WAIT_MAX_MS || wait_ms >= mcp_lock_remaining_ms(lock, hold)) {
		return refuse_fence(lock, MCP_FENCE_TOO_NEW, wait_ms);
	}
	mcp_wait next = mcp_waiting_until(lock->environment, self->pauses, now_ms + wait_ms);
	return next == MCP_WAIT_INTERRUPTED ? MCP_INTERRUPTED : MCP_OK;
}

/* Draw until every host's clock had passed the number before the number was drawn. Discard a number after a wait for
 * it, because during the wait, the fence might have been lost and restarted below it. */
static mcp_status draw_passed(const fence *self, const mcp_hold *hold, uint64_t *number) {
	for (int round = 0; round < FENCE_ROUNDS_MAX; round++) {
		uint64_t before_ms = mcp_wall_ms(self->lock->environment);
		mcp_status status = draw(self, number);
		if (status != MCP_OK || before_ms >= passed_at_ms(self->lock, *number)) {
			return status;
		}
		status = wait_for(self, hold, *number);
		if (status != MCP_OK) {
			return status;
		}
	}
	return MCP_EXISTS;
}

static mcp_status draw_fence(const mcp_lock *lock, const mcp_hold *hold, uint64_t *number) {
	if (lock->skew_ms == MCP_LOCK_FOREVER) {
		return refuse_fence(lock, MCP_FENCE_WITHOUT_CLOCK, 0);
	}
	mcp_pauses own = {.has_begun = false};
	fence self = {.lock = lock, .pauses = lock->pauses != NULL ? lock->pauses : &own};
	self.key = mcp_key_fence(&self.buffer, lock->key);
	if (mcp_waiting_begin(lock->environment, self.pauses) == MCP_WAIT_INTERRUPTED) {
		return MCP_INTERRUPTED;
	}
	mcp_status status = draw_passed(&self, hold, number);
	/* The outcome of a change of the fence does not matter, because a late increment only raises the fence. */
	return status == MCP_UNKNOWN ? MCP_TIMEOUT : status;
}

/* Read the server's start time, or draw a number, before the item is read. After a restart in between, the lock is
 * then lost, and no token is too large. */
static mcp_status make(const mcp_lock *lock, mcp_hold *hold) {
	uint64_t number;
	mcp_status status = mcp_store_started_us(lock->store, lock->key, &number);
	bool tells_start = status != MCP_UNSUPPORTED;
	if (!tells_start) {
		status = draw_fence(lock, hold, &number);
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_item item;
	mcp_lock_item found;
	status = read_ours(lock, hold, &item, &found);
	if (status != MCP_OK) {
		return status;
	}
	if (item.cas == 0) {
		return MCP_NO_CAS;
	}
	hold->fencing = tells_start ? number + item.cas : number;
	return MCP_OK;
}

mcp_status mcp_lock_fence(const mcp_lock *lock, mcp_hold *hold, uint64_t *token) {
	if (!mcp_lock_is_held(lock, hold)) {
		return MCP_NOT_FOUND;
	}
	mcp_status status = hold->fencing == 0 ? make(lock, hold) : MCP_OK;
	if (status == MCP_OK) {
		*token = hold->fencing;
	}
	return status;
}

/* All items of a hold for many locks have one stamp and one end, which counts from before the first write. */

void mcp_lock_try_many(const mcp_lock *lock, mcp_hold *hold, mcp_op *writes, size_t count) {
	mcp_lock_terms terms;
	mcp_lock_hold_begin_try(lock, hold, &terms);
	for (size_t i = 0; i < count; i++) {
		writes[i].verb = MCP_OP_ADD;
		writes[i].record = &terms.record;
	}
	mcp_store_run_all(lock->store, writes, count);
	believe(hold, &terms);
}

mcp_status mcp_lock_judge(const mcp_lock *lock, const mcp_hold *hold, const mcp_op *reply) {
	if (reply->status != MCP_OK) {
		return reply->status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&reply->item);
	if (is_of(lock, hold, &found)) {
		return MCP_OK;
	}
	return is_over(lock, &found) ? MCP_EXISTS : MCP_NOT_STORED;
}

void mcp_lock_release_many(const mcp_lock *lock, mcp_op *writes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		writes[i].verb = MCP_OP_DELETE_IF;
	}
	mcp_store_run_all(lock->store, writes, count);
}

mcp_status mcp_lock_release_one(const mcp_lock *lock, const mcp_hold *hold, const mcp_key *key) {
	mcp_lock one = *lock;
	mcp_hold own = *hold;
	one.key = key;
	return mcp_lock_release(&one, &own);
}
