/* Acquires, keeps and gives back a lock item. Deadlines run on the holder's monotonic clock from
 * before the write that started them, so they end before memcached drops the item. */
/* SPDX-License-Identifier: MIT */
#include "lock.h"

#include "../core/backoff.h"
#include "settle.h"
#include "waiting.h"

/* Only another write of the same holder can come between reading an item and changing it. */
#define ROUNDS_MAX 4
/* Then the server is answering, but not to writes. */
#define UNANSWERED_MAX 2
/* memcached's clock now and then goes on by two seconds at once (see mcp_expiry_from_ttl). What it asks
 * of other items they may lose; a lock that ended before its holder's deadline would have two holders. */
#define SKIPPED_TICK_MS 1000
/* Client flags: other clients keep their own meanings in the lower half (see core/value_flags.h). */
#define STAMP_SHIFT 16

static inline uint64_t now_ms(const mcp_lock *lock) {
	return mcp_monotonic_ms(lock->environment);
}

/* A time without end stays one when it is added to. */
static uint64_t later(uint64_t now, uint64_t duration_ms) {
	return duration_ms > UINT64_MAX - now ? UINT64_MAX : now + duration_ms;
}

static uint32_t new_stamp(const mcp_lock *lock) {
	uint32_t stamp;
	do {
		stamp = (uint32_t)(mcp_random_u64(lock->environment) >> (64 - STAMP_SHIFT)) << STAMP_SHIFT;
	} while (stamp == 0);
	return stamp;
}

static mcp_record record_of(const mcp_lock *lock, const mcp_hold *hold) {
	return (mcp_record){
		.body = lock->owner,
		.flags = hold->stamp,
		.ttl_ms = lock->is_brief ? lock->ttl_ms : later(lock->ttl_ms, SKIPPED_TICK_MS),
	};
}

static bool is_ours(const mcp_lock *lock, const mcp_hold *hold, const mcp_item *item) {
	return item->flags == hold->stamp && mcp_bytes_equal(item->value, lock->owner);
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
	if (status == MCP_OK && is_ours(lock, hold, item)) {
		return MCP_OK;
	}
	close_hold(hold);
	return MCP_NOT_FOUND;
}

bool mcp_lock_is_held(const mcp_lock *lock, const mcp_hold *hold) {
	return mcp_lock_remaining_ms(lock, hold) > 0;
}

uint64_t mcp_lock_remaining_ms(const mcp_lock *lock, const mcp_hold *hold) {
	if (hold->deadline_ms == 0) {
		return 0;
	}
	uint64_t now = now_ms(lock);
	return hold->deadline_ms > now ? hold->deadline_ms - now : 0;
}

/* A refusal may come from a proxy that has sent the request on. */
static bool may_be_stored(mcp_status status) {
	return status == MCP_UNKNOWN || status == MCP_REFUSED;
}

/* One `add`. An item that took longer to get than it was to be held is given back: not stored. */
static mcp_status try_once(const mcp_lock *lock, mcp_hold *hold) {
	uint64_t deadline_ms = later(now_ms(lock), lock->ttl_ms);
	*hold = (mcp_hold){.stamp = new_stamp(lock)};
	mcp_record record = record_of(lock, hold);
	mcp_status status = mcp_settle_add(lock->store, lock->key, &record);
	if (status != MCP_OK) {
		if (!may_be_stored(status)) {
			close_hold(hold);
		}
		return status;
	}
	hold->deadline_ms = deadline_ms;
	if (mcp_lock_is_held(lock, hold)) {
		return MCP_OK;
	}
	status = mcp_lock_release(lock, hold);
	return mcp_status_is_failure(status) ? status : MCP_NOT_STORED;
}

/* Before anything is acquired anew, what is still there of ours is extended, or closed. */
static mcp_status extend_open(const mcp_lock *lock, mcp_hold *hold) {
	return mcp_hold_is_open(hold) ? mcp_lock_refresh(lock, hold) : MCP_NOT_FOUND;
}

mcp_status mcp_lock_acquire(const mcp_lock *lock, mcp_hold *hold, uint64_t wait_ms) {
	uint64_t end_ms = later(now_ms(lock), wait_ms);
	mcp_status status = extend_open(lock, hold);
	if (status != MCP_NOT_FOUND) {
		return status;
	}
	mcp_backoff backoff = mcp_backoff_for_waiting();
	while ((status = try_once(lock, hold)) == MCP_NOT_STORED) {
		mcp_wait next = mcp_waiting_pause(lock->environment, &backoff, end_ms);
		if (next != MCP_WAIT_AGAIN) {
			return next == MCP_WAIT_INTERRUPTED ? MCP_INTERRUPTED : status;
		}
	}
	return status;
}

/* What a change of the item in rounds has met so far. */
typedef struct attempts {
	int rounds, unanswered;
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

/* Writes the item again under a new TTL. While the answer is out, the shorter of both deadlines holds;
 * without an answer it goes on holding. MCP_EXISTS: look at the item again. */
static mcp_status rewrite(const mcp_lock *lock, mcp_hold *hold, uint64_t cas) {
	uint64_t deadline_ms = later(now_ms(lock), lock->ttl_ms);
	if (!mcp_lock_is_held(lock, hold)) {
		/* Others may have held it since; an add of ours that arrived late has brought it back. */
		hold->fencing = 0;
	}
	if (deadline_ms < hold->deadline_ms) {
		hold->deadline_ms = deadline_ms;
	}
	mcp_record record = record_of(lock, hold);
	mcp_status status = mcp_store_cas(lock->store, lock->key, &record, cas);
	if (status != MCP_OK) {
		return status;
	}
	hold->deadline_ms = deadline_ms;
	/* It may have taken as long as the lock lives. */
	return mcp_lock_is_held(lock, hold) ? MCP_OK : MCP_EXISTS;
}

static mcp_status refresh_once(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	mcp_status status = read_ours(lock, hold, &item);
	return status == MCP_OK ? rewrite(lock, hold, item.cas) : status;
}

mcp_status mcp_lock_refresh(const mcp_lock *lock, mcp_hold *hold) {
	attempts made = {0};
	mcp_status status;
	do {
		status = refresh_once(lock, hold);
	} while (may_try_again(lock, &made, status));
	if (status == MCP_NOT_FOUND) {
		close_hold(hold);
	}
	return outcome(&made, status);
}

/* Under a stamp of its own: whoever held it before under this owner's name has lost it, and learns so
 * when he asks. */
static mcp_status adopt_once(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	if (item.flags == 0 || !mcp_bytes_equal(item.value, lock->owner)) {
		return MCP_NOT_FOUND;
	}
	return rewrite(lock, hold, item.cas);
}

mcp_status mcp_lock_adopt(const mcp_lock *lock, mcp_hold *hold) {
	attempts made = {0};
	mcp_status status;
	*hold = (mcp_hold){.stamp = new_stamp(lock)};
	do {
		status = adopt_once(lock, hold);
	} while (may_try_again(lock, &made, status));
	bool is_open = status == MCP_OK || (status != MCP_NOT_FOUND && made.unanswered > 0);
	if (!is_open) {
		close_hold(hold);
	}
	return outcome(&made, status);
}

static mcp_status delete_ours(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	mcp_status status = read_ours(lock, hold, &item);
	return status == MCP_OK ? mcp_store_delete_if(lock->store, lock->key, item.cas) : status;
}

mcp_status mcp_lock_release(const mcp_lock *lock, mcp_hold *hold) {
	attempts made = {0};
	mcp_status status;
	hold->deadline_ms = 0;
	if (mcp_hold_is_open(hold)) {
		mcp_store_insist(lock->store, lock->key, MCP_INSIST_TO_GIVE_BACK);
	}
	do {
		status = delete_ours(lock, hold);
	} while (may_try_again(lock, &made, status));
	if (status == MCP_NOT_FOUND && made.unanswered > 0) {
		/* Gone, and it was still ours when the delete was sent that had no answer. */
		status = MCP_OK;
	}
	if (status == MCP_OK || status == MCP_NOT_FOUND) {
		close_hold(hold);
	}
	return outcome(&made, status);
}

mcp_status mcp_lock_force_release(const mcp_lock *lock) {
	return mcp_store_delete(lock->store, lock->key);
}

mcp_status mcp_lock_find(const mcp_lock *lock) {
	mcp_item item;
	return mcp_store_get(lock->store, lock->key, &item);
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
