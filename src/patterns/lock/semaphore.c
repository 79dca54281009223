/* Acquires one of N permits, each of which is a lock. Tries a random permit and reads all permits in one batch, or
 * only reads them if the store cannot batch. Then takes a free permit like a lock. */
/* SPDX-License-Identifier: MIT */
#include "semaphore.h"

#include "../../store/store.h"
#include "lock.h"

mcp_key mcp_semaphore_permit_key(mcp_key_buffer *buffer, const mcp_key *key, uint32_t permit) {
	return mcp_key_append_beside(buffer, key, permit);
}

/* Result of a read of all permits. */
typedef struct picture {
	uint32_t free_count;
	bool has_more; /* permits would remain free after this call */
	/* monotonic time at which the next permit becomes free, according to the items' expiry */
	uint64_t free_ms;
	uint64_t holders; /* sum of the stamps, which changes with every acquisition and release */
} picture;

static void note_permit(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	picture *seen, uint32_t permit) {
	const mcp_lock *lock = &semaphore->lock;
	uint64_t left_ms = 0;
	if (scratch->replies[permit].status == MCP_OK) {
		mcp_lock_item found = mcp_lock_terms_read(&scratch->replies[permit].item);
		left_ms = mcp_lock_terms_taken_for_ms(lock, &found);
		seen->holders += found.stamp;
	}
	if (left_ms == 0) {
		scratch->free_ones[seen->free_count++] = permit;
		return;
	}
	uint64_t free_ms = mcp_lock_terms_later(mcp_monotonic_ms(lock->environment), left_ms);
	seen->free_ms = free_ms < seen->free_ms ? free_ms : seen->free_ms;
}

/* Make the keys once for all reads of a call. */
static void make_keys(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch) {
	for (uint32_t i = 0; i < semaphore->permits; i++) {
		scratch->keys[i] = mcp_semaphore_permit_key(&scratch->buffers[i], semaphore->lock.key, i);
	}
}

/* Note the state of each permit. Fail if a permit could not be read, because it must not count as taken. */
static mcp_status see(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	picture *seen) {
	*seen = (picture){.free_ms = MCP_LOCK_FOREVER};
	for (uint32_t i = 0; i < semaphore->permits; i++) {
		mcp_status status = scratch->replies[i].status;
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return status;
		}
		note_permit(semaphore, scratch, seen, i);
	}
	return MCP_OK;
}

static mcp_status read_permits(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	picture *seen) {
	mcp_store_get_many(semaphore->lock.store, scratch->keys, semaphore->permits, scratch->replies);
	return see(semaphore, scratch, seen);
}

/* An attempt to take one permit, sent in one batch with a read of all permits. */
typedef struct attempt {
	mcp_lock lock;
	mcp_lock_terms terms;
	uint32_t permit;
	mcp_proof proof; /* CAS value that the read of this permit returned */
} attempt;

/* Send the attempt and the reads. Returns the status of the `add`. MCP_UNSUPPORTED: nothing was sent, because the
 * store cannot batch. */
static mcp_status send(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	attempt *made) {
	mcp_op steps[MCP_STEPS_MAX];
	steps[0] = (mcp_op){
		.verb = MCP_OP_ADD,
		.key = made->lock.key,
		.record = &made->terms.record,
	};
	for (uint32_t i = 0; i < semaphore->permits; i++) {
		steps[1 + i] = (mcp_op){.verb = MCP_OP_GET, .key = &scratch->keys[i]};
	}
	mcp_store_steps_at_once(semaphore->lock.store, steps, 1 + semaphore->permits);
	for (uint32_t i = 0; i < semaphore->permits; i++) {
		scratch->replies[i].status = steps[1 + i].status;
		scratch->replies[i].item = steps[1 + i].item;
	}
	made->proof = steps[1 + made->permit].proof;
	return steps[0].status;
}

/* Evaluate the replies, because the next read overwrites them. Then conclude the attempt. MCP_NOT_STORED: *seen has
 * all free permits if *is_whole. */
static mcp_status conclude_try(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	const attempt *made, mcp_status added, picture *seen, bool *is_whole, mcp_hold *hold) {
	bool is_proven = false;
	*is_whole = false;
	if (added == MCP_OK) {
		const mcp_op *reply = &scratch->replies[made->permit];
		is_proven = reply->status == MCP_OK && mcp_item_is(&reply->item, &made->terms.record);
		*seen = (picture){.has_more = false};
		for (uint32_t i = 0; i < semaphore->permits && !seen->has_more; i++) {
			seen->has_more = scratch->replies[i].status == MCP_NOT_FOUND;
		}
	} else {
		*is_whole = see(semaphore, scratch, seen) == MCP_OK;
	}
	mcp_status status = mcp_lock_hold_conclude_try(&made->lock, hold, &made->terms, added);
	if (status == MCP_OK && is_proven) {
		hold->proof = made->proof;
	}
	return status;
}

/* Only read the permits. MCP_NOT_STORED: *seen has the free permits. */
static mcp_status look_alone(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	picture *seen) {
	mcp_status status = read_permits(semaphore, scratch, seen);
	return status == MCP_OK ? MCP_NOT_STORED : status;
}

/* Try a random permit and read all permits in one batch. Only read if the store cannot batch. MCP_NOT_STORED: the
 * permit is taken, and *seen has the free permits. */
static mcp_status try_and_look(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	picture *seen, mcp_hold *hold, uint32_t *permit) {
	if (semaphore->permits >= MCP_STEPS_MAX) {
		return look_alone(semaphore, scratch, seen);
	}
	attempt made = {.lock = semaphore->lock};
	made.permit = (uint32_t)(mcp_random_u64(made.lock.environment) % semaphore->permits);
	made.lock.key = &scratch->keys[made.permit];
	mcp_lock_hold_begin_try(&made.lock, hold, &made.terms);
	mcp_status status = send(semaphore, scratch, &made);
	if (status == MCP_UNSUPPORTED) {
		mcp_lock_forget(&made.lock, hold);
		return look_alone(semaphore, scratch, seen);
	}
	bool is_whole;
	*permit = made.permit;
	status = conclude_try(semaphore, scratch, &made, status, seen, &is_whole, hold);
	return status != MCP_NOT_STORED || is_whole ? status : look_alone(semaphore, scratch, seen);
}

static mcp_status take_permit(const mcp_semaphore *semaphore, mcp_hold *hold, uint32_t permit) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_semaphore_permit_key(&buffer, semaphore->lock.key, permit);
	mcp_lock lock = semaphore->lock;
	lock.key = &key;
	lock.pauses = NULL;
	return mcp_lock_acquire(&lock, hold, 0);
}

/* Start at a random free permit, so that concurrent callers try different permits. If the outcome of an attempt is
 * unknown, the permit might be ours, so do not take another one. */
static mcp_status take_any(const mcp_semaphore *semaphore, const mcp_semaphore_scratch *scratch,
	picture *seen, mcp_hold *hold, uint32_t *permit) {
	if (seen->free_count == 0) {
		return MCP_NOT_STORED;
	}
	seen->has_more = seen->free_count > 1;
	uint64_t first = mcp_random_u64(semaphore->lock.environment) % seen->free_count;
	for (uint32_t i = 0; i < seen->free_count; i++) {
		*permit = scratch->free_ones[(first + i) % seen->free_count];
		mcp_status status = take_permit(semaphore, hold, *permit);
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
		mcp_status status = take_permit(semaphore, hold, *permit);
		if (status != MCP_NOT_STORED) {
			return status;
		}
	}
	make_keys(semaphore, scratch);
	while (next == MCP_WAIT_AGAIN) {
		picture seen;
		mcp_status status = try_and_look(semaphore, scratch, &seen, hold, permit);
		if (status == MCP_NOT_STORED) {
			status = take_any(semaphore, scratch, &seen, hold, permit);
		}
		if (status == MCP_OK && seen.has_more) {
			mcp_waiting_tell_of_more(environment, pauses);
		}
		if (status != MCP_NOT_STORED) {
			return status;
		}
		mcp_waiting_see_holder(pauses, seen.holders);
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
	make_keys(semaphore, scratch);
	mcp_status status = read_permits(semaphore, scratch, &seen);
	*available = seen.free_count;
	return status;
}
