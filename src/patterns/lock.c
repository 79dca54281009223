/* Acquires, keeps and gives back a lock item. Deadlines run on the holder's monotonic clock from
 * before the write that started them, so they end before memcached drops the item. */
/* SPDX-License-Identifier: MIT */
#include "lock.h"

#include "../core/backoff.h"
#include "settle.h"

/* Only another write of the same holder can come between reading an item and changing it. */
#define ROUNDS_MAX 4
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
	return (mcp_record){.body = lock->owner, .flags = hold->stamp, .ttl_ms = lock->ttl_ms};
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

/* One `add`. An item that took longer to get than it was to be held is given back: not stored. */
static mcp_status try_once(const mcp_lock *lock, mcp_hold *hold) {
	uint64_t deadline_ms = later(now_ms(lock), lock->ttl_ms);
	*hold = (mcp_hold){.stamp = new_stamp(lock)};
	mcp_record record = record_of(lock, hold);
	mcp_status status = mcp_settle_add(lock->store, lock->key, &record);
	if (status != MCP_OK) {
		if (status != MCP_UNKNOWN) {
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
		uint64_t now = now_ms(lock);
		if (now >= end_ms) {
			break;
		}
		uint64_t random = mcp_random_u64(lock->environment);
		mcp_sleep_ms(lock->environment, mcp_backoff_next_ms(&backoff, random, now, end_ms));
	}
	return status;
}

/* Writes the item again under a new TTL. While the answer is out, the shorter of both deadlines holds. */
static mcp_status rewrite(const mcp_lock *lock, mcp_hold *hold, uint64_t cas) {
	uint64_t deadline_ms = later(now_ms(lock), lock->ttl_ms);
	if (deadline_ms < hold->deadline_ms) {
		hold->deadline_ms = deadline_ms;
	}
	mcp_record record = record_of(lock, hold);
	mcp_status status = mcp_settle_cas(lock->store, lock->key, &record, cas);
	if (status == MCP_OK) {
		hold->deadline_ms = deadline_ms;
	}
	return status;
}

mcp_status mcp_lock_refresh(const mcp_lock *lock, mcp_hold *hold) {
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX && status == MCP_EXISTS; round++) {
		mcp_item item;
		status = read_ours(lock, hold, &item);
		if (status != MCP_OK) {
			return status;
		}
		status = rewrite(lock, hold, item.cas);
		if (status == MCP_OK && !mcp_lock_is_held(lock, hold)) {
			/* It took as long as the lock lives. */
			status = MCP_EXISTS;
		}
	}
	if (status == MCP_NOT_FOUND) {
		close_hold(hold);
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}

/* The item's own stamp becomes the hold's, so that it is compared like any other from then on. */
mcp_status mcp_lock_adopt(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	mcp_status status = mcp_store_get(lock->store, lock->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	if (item.flags == 0 || !mcp_bytes_equal(item.value, lock->owner)) {
		return MCP_NOT_FOUND;
	}
	*hold = (mcp_hold){.stamp = item.flags};
	status = rewrite(lock, hold, item.cas);
	bool is_over = status == MCP_OK && !mcp_lock_is_held(lock, hold);
	if (status == MCP_EXISTS || is_over) {
		return mcp_lock_refresh(lock, hold);
	}
	if (status == MCP_NOT_FOUND) {
		close_hold(hold);
	}
	return status;
}

/* After a delete without an answer, an item that is no longer ours is what was wanted. */
static mcp_status settle_delete(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	mcp_status status = read_ours(lock, hold, &item);
	if (status == MCP_NOT_FOUND) {
		return MCP_OK;
	}
	return status == MCP_OK ? MCP_EXISTS : MCP_UNKNOWN;
}

/* MCP_EXISTS: the item was written in between, look again. */
static mcp_status delete_ours(const mcp_lock *lock, mcp_hold *hold) {
	mcp_item item;
	mcp_status status = read_ours(lock, hold, &item);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_store_delete_if(lock->store, lock->key, item.cas);
	return status == MCP_UNKNOWN ? settle_delete(lock, hold) : status;
}

mcp_status mcp_lock_release(const mcp_lock *lock, mcp_hold *hold) {
	hold->deadline_ms = 0;
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX && status == MCP_EXISTS; round++) {
		status = delete_ours(lock, hold);
	}
	if (status == MCP_OK || status == MCP_NOT_FOUND) {
		close_hold(hold);
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
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
	if (!mcp_hold_is_open(hold)) {
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
		hold->fencing = started_us + item.cas;
	}
	*token = hold->fencing;
	return MCP_OK;
}
