/* Looks at all permits at once, and takes one of the free ones as a lock is taken. */
/* SPDX-License-Identifier: MIT */
#include "semaphore.h"

#include "lock_terms.h"

mcp_key mcp_semaphore_permit_key(mcp_key_buffer *buffer, const mcp_key *key, uint32_t permit) {
	return mcp_key_append_beside(buffer, key, permit);
}

/* The picture that a look at all permits has shown. */
typedef struct picture {
	uint32_t free_count;
	uint64_t free_ms; /* of the monotonic clock: when the next one is free, by what the items say */
} picture;

static void note(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	picture *seen, uint32_t permit) {
	const mcp_lock *lock = &semaphore->lock;
	uint64_t left_ms = 0;
	if (scratch->replies[permit].status == MCP_OK) {
		mcp_lock_item found = mcp_lock_terms_read(&scratch->replies[permit].item);
		left_ms = mcp_lock_terms_left_ms(lock, &found);
	}
	if (left_ms == 0) {
		scratch->free_ones[seen->free_count++] = permit;
		return;
	}
	uint64_t free_ms = mcp_lock_terms_later(mcp_monotonic_ms(lock->environment), left_ms);
	seen->free_ms = free_ms < seen->free_ms ? free_ms : seen->free_ms;
}

/* Looks at all permits or none: one that could not be asked for is not one that is taken. */
static mcp_status look(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	picture *seen) {
	*seen = (picture){.free_ms = MCP_LOCK_FOREVER};
	for (uint32_t i = 0; i < semaphore->permits; i++) {
		scratch->keys[i] = mcp_semaphore_permit_key(&scratch->buffers[i], semaphore->lock.key, i);
	}
	mcp_store_get_many(semaphore->lock.store, scratch->keys, semaphore->permits, scratch->replies);
	for (uint32_t i = 0; i < semaphore->permits; i++) {
		mcp_status status = scratch->replies[i].status;
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return status;
		}
		note(semaphore, scratch, seen, i);
	}
	return MCP_OK;
}

static mcp_status take(const mcp_semaphore *semaphore, mcp_hold *hold, uint32_t permit) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_semaphore_permit_key(&buffer, semaphore->lock.key, permit);
	mcp_lock lock = semaphore->lock;
	lock.key = &key;
	lock.pauses = NULL;
	return mcp_lock_acquire(&lock, hold, 0);
}

/* Begins anywhere, so that those who look at the same moment do not all try the same one. A permit that could
 * not be settled may be ours: no other one is taken beside it. */
static mcp_status take_any(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	const picture *seen, mcp_hold *hold, uint32_t *permit) {
	if (seen->free_count == 0) {
		return MCP_NOT_STORED;
	}
	uint64_t first = mcp_random_u64(semaphore->lock.environment) % seen->free_count;
	for (uint32_t i = 0; i < seen->free_count; i++) {
		*permit = scratch->free_ones[(first + i) % seen->free_count];
		mcp_status status = take(semaphore, hold, *permit);
		if (status != MCP_NOT_STORED) {
			return status;
		}
	}
	return MCP_NOT_STORED;
}

static mcp_status wait_and_try(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	mcp_hold *hold, uint32_t *permit, mcp_pauses *pauses, uint64_t wait_ms) {
	const mcp_environment *environment = semaphore->lock.environment;
	mcp_wait next = mcp_waiting_begin(environment, pauses);
	uint64_t end_ms = mcp_lock_terms_later(pauses->begun_ms, wait_ms);
	if (next == MCP_WAIT_AGAIN && mcp_hold_is_open(hold)) {
		mcp_status status = take(semaphore, hold, *permit);
		if (status != MCP_NOT_STORED) {
			return status;
		}
	}
	while (next == MCP_WAIT_AGAIN) {
		picture seen;
		mcp_status status = look(semaphore, scratch, &seen);
		if (status == MCP_OK) {
			status = take_any(semaphore, scratch, &seen, hold, permit);
		}
		if (status == MCP_OK && seen.free_count > 1) {
			mcp_waiting_tell_of_more(environment, pauses);
		}
		if (status != MCP_NOT_STORED) {
			return status;
		}
		mcp_waiting_listen(pauses, mcp_store_bell(semaphore->lock.store, semaphore->lock.key));
		next = mcp_waiting_pause_for(environment, pauses, end_ms, seen.free_ms);
	}
	return next == MCP_WAIT_INTERRUPTED ? MCP_INTERRUPTED : MCP_NOT_STORED;
}

mcp_status mcp_semaphore_acquire(const mcp_semaphore *semaphore,
	const mcp_semaphore_scratch *scratch, mcp_hold *hold, uint32_t *permit, uint64_t wait_ms) {
	mcp_pauses own = {.has_begun = false};
	mcp_pauses *pauses = semaphore->lock.pauses != NULL ? semaphore->lock.pauses : &own;
	mcp_status status = wait_and_try(semaphore, scratch, hold, permit, pauses, wait_ms);
	return mcp_waiting_end_for_one(semaphore->lock.environment, pauses, status);
}

mcp_status mcp_semaphore_available(const mcp_semaphore *semaphore,
	const mcp_semaphore_scratch *scratch, uint32_t *available) {
	picture seen;
	mcp_status status = look(semaphore, scratch, &seen);
	*available = seen.free_count;
	return status;
}
