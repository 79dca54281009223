/* Keeps a hold with 2 clocks and `cas`, using the CAS value of a read or of the last write's proof. */
/* SPDX-License-Identifier: MIT */
#include "lock_hold.h"

/* Only another write of the same holder can come between the read and the change of an item. */
#define ROUNDS_MAX 4
/* More means that the server replies to reads, but not to writes. */
#define UNANSWERED_MAX 2

static inline uint64_t now_ms(const mcp_lock *lock) {
	return mcp_monotonic_ms(lock->environment);
}

mcp_status mcp_lock_hold_read(const mcp_lock *lock, mcp_hold *hold, mcp_item *item) {
	if (!mcp_hold_is_open(hold)) {
		return MCP_NOT_FOUND;
	}
	mcp_status status = mcp_store_get(lock->store, lock->key, item);
	if (mcp_status_is_failure(status)) {
		return status;
	}
	if (status == MCP_OK) {
		mcp_lock_item found = mcp_lock_terms_read(item);
		if (mcp_lock_hold_is_of(lock, hold, &found)) {
			return MCP_OK;
		}
	}
	mcp_lock_hold_close(lock, hold);
	return MCP_NOT_FOUND;
}

static uint64_t left_ms(uint64_t end_ms, uint64_t now) {
	if (end_ms == MCP_LOCK_FOREVER) {
		return MCP_LOCK_FOREVER;
	}
	return end_ms > now ? end_ms - now : 0;
}

uint64_t mcp_lock_hold_remaining_ms(const mcp_lock *lock, const mcp_hold *hold) {
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

/* Same result as remaining_ms, but read the second clock only if needed. */
bool mcp_lock_hold_is_held(const mcp_lock *lock, const mcp_hold *hold) {
	return hold->deadline_ms != 0 && now_ms(lock) < hold->deadline_ms &&
		(hold->until_ms == 0 || mcp_wall_ms(lock->environment) < hold->until_ms);
}

bool mcp_lock_hold_may_try_again(const mcp_lock *lock, mcp_lock_attempts *made, mcp_status status) {
	made->rounds++;
	if (status == MCP_UNKNOWN && ++made->unanswered < UNANSWERED_MAX) {
		mcp_store_bypass_breaker(lock->store, lock->key, MCP_BYPASS_TO_RESOLVE);
		return made->rounds < ROUNDS_MAX;
	}
	return status == MCP_EXISTS && made->rounds < ROUNDS_MAX;
}

mcp_status mcp_lock_hold_outcome(const mcp_lock_attempts *made, mcp_status status) {
	if (mcp_status_is_failure(status) && made->unanswered > 0) {
		return MCP_UNKNOWN;
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}

/* Trust the earlier of two ends: during a write, the item may show others the new or the previous end. */
static void believe_the_shorter(mcp_hold *hold, const mcp_lock_terms *terms) {
	if (terms->deadline_ms < hold->deadline_ms) {
		hold->deadline_ms = terms->deadline_ms;
	}
	bool tells_earlier = hold->until_ms == 0 || terms->until_ms < hold->until_ms;
	if (terms->until_ms != 0 && tells_earlier) {
		hold->until_ms = terms->until_ms;
	}
}

/* Write over the item that was read or, if `cas` is NULL, over the item of the hold's proof. */
static mcp_status write_over(const mcp_lock *lock, mcp_hold *hold, mcp_record *record,
	const uint64_t *cas) {
	mcp_proof proof = hold->proof;
	mcp_lock_hold_ask_for_proof(lock, hold, record);
	return cas != NULL ? mcp_store_cas(lock->store, lock->key, record, *cas)
					   : mcp_store_cas_proven(lock->store, lock->key, record, &proof);
}

mcp_status mcp_lock_hold_rewrite(const mcp_lock *lock, mcp_hold *hold, const uint64_t *cas) {
	if (!mcp_lock_hold_is_held(lock, hold)) {
		/* Others may have held the lock since. A late `add` of ours has restored the item. */
		hold->fencing = 0;
	}
	mcp_lock_terms terms;
	mcp_lock_terms_make(lock, hold->stamp, &terms);
	believe_the_shorter(hold, &terms);
	mcp_status status = write_over(lock, hold, &terms.record, cas);
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_hold_believe(hold, &terms);
	/* The write may have taken longer than the TTL. */
	return mcp_lock_hold_is_held(lock, hold) ? MCP_OK : MCP_EXISTS;
}

/* Remove an item that has expired for others: the hold is lost, even if no other process has taken it. A
 * host with a slower clock would still wait for its end. */
static mcp_status clear_away(const mcp_lock *lock, uint64_t cas) {
	mcp_status status = mcp_store_delete_if(lock->store, lock->key, cas);
	return status == MCP_OK ? MCP_NOT_FOUND : status;
}

/* Extend without a read, as long as every change would be noticed. MCP_UNSUPPORTED, MCP_EXISTS: read first. */
static mcp_status extend_proven(const mcp_lock *lock, mcp_hold *hold) {
	bool is_proven = hold->proof.cas != 0 && !mcp_lock_hold_is_over(lock, hold);
	return is_proven ? mcp_lock_hold_rewrite(lock, hold, NULL) : MCP_UNSUPPORTED;
}

static mcp_status extend_once(const mcp_lock *lock, mcp_hold *hold) {
	mcp_status proven = extend_proven(lock, hold);
	if (proven != MCP_UNSUPPORTED && proven != MCP_EXISTS) {
		return proven;
	}
	mcp_item item;
	mcp_status status = mcp_lock_hold_read(lock, hold, &item);
	if (status != MCP_OK) {
		return status;
	}
	mcp_lock_item found = mcp_lock_terms_read(&item);
	return mcp_lock_terms_are_over(lock, &found) ? clear_away(lock, item.cas)
												 : mcp_lock_hold_rewrite(lock, hold, &item.cas);
}

mcp_status mcp_lock_hold_extend(const mcp_lock *lock, mcp_hold *hold) {
	mcp_lock_attempts made = {0};
	mcp_status status;
	do {
		status = extend_once(lock, hold);
	} while (mcp_lock_hold_may_try_again(lock, &made, status));
	if (status == MCP_NOT_FOUND) {
		mcp_lock_hold_close(lock, hold);
	} else if (status != MCP_OK && !mcp_lock_hold_is_held(lock, hold)) {
		mcp_lock_hold_give_up(lock, hold);
	}
	if (status == MCP_EXISTS && !mcp_lock_hold_is_held(lock, hold)) {
		/* each try took longer than the TTL; the item must still be released */
		return MCP_NOT_FOUND;
	}
	return mcp_lock_hold_outcome(&made, status);
}
