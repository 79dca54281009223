/* Makes fencing tokens by L9. Where the server tells its start that is the larger part of them. Where it tells none, as
 * behind a proxy, tokens are counted on a number that all locks of a prefix share, the fence, which begins with its
 * maker's wall clock in microseconds.
 *
 * A token T is given out when the own clock, read before T was drawn from the fence, was past T by more than clocks may
 * differ. Then every host's clock was past T when the fence stood at T. As long as the fence lives its next numbers are larger. If it is
 * lost it begins anew above T: its first number is put by cas in the place of an item that is no number, and is of a clock
 * that was read after that item; at T the fence was a number, so that item, which did not change until then, was read
 * later. An `add` of the number itself would not do: one that was on its way for long, or whose process stood still, would
 * land below T when the fence has been lost meanwhile. T is drawn before the lock's item is looked at: whoever has the
 * lock next takes it after that look, and draws after that. */
/* SPDX-License-Identifier: MIT */
#include "lock.h"

#include "../../core/decimal.h"
#include "../../core/envelope/expiry.h"
#include "lock_hold.h"

#define US_PER_MS 1000
/* Each further one means that the fence was lost or made in between, or that others have drawn a thousand numbers. */
#define ROUNDS_MAX 8
/* No call waits longer for a fence that is new, however often it is lost and made anew meanwhile. */
#define WAIT_MAX_MS 10000
/* The clock of the fence's maker may be ahead of this one by the skew, and it may have counted on since. */
#define COUNTED_MS 1000

/* The fence as a call sees it. */
typedef struct fence {
	const mcp_lock *lock;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_pauses *pauses;
} fence;

static mcp_status refuse(const mcp_lock *lock, mcp_fence_bar bar, uint64_t ms) {
	if (lock->refusal != NULL) {
		*lock->refusal = (mcp_fence_refusal){bar, ms};
	}
	return MCP_UNSUPPORTED;
}

/* Adds what is to become the fence. MCP_OK also where another has done so; never MCP_NOT_FOUND, which says that the lock
 * was lost. */
static mcp_status place(const fence *self) {
	mcp_record record = {.body = mcp_bytes_of("unset", 5), .ttl_ms = MCP_TTL_FOREVER};
	mcp_status status = mcp_store_add(self->lock->store, &self->key, &record);
	if (status == MCP_NOT_FOUND) {
		return MCP_PROTOCOL;
	}
	return status == MCP_NOT_STORED ? MCP_OK : status;
}

/* Puts the first number in the place of what is none, by a clock that is read after that. MCP_EXISTS: others came in
 * between. */
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

/* Draws the fence's next number, or its first one. MCP_EXISTS: draw again. */
static mcp_status draw_once(const fence *self, uint64_t *number) {
	mcp_status status = mcp_store_increment(self->lock->store, &self->key, 1, number);
	if (status != MCP_NOT_FOUND && status != MCP_NOT_A_NUMBER) {
		return status;
	}
	status = status == MCP_NOT_FOUND ? place(self) : MCP_OK;
	return status == MCP_OK ? start(self, number) : status;
}

static mcp_status draw(const fence *self, uint64_t *number) {
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX && status == MCP_EXISTS; round++) {
		status = draw_once(self, number);
	}
	return status;
}

/* Returns the first moment of the own clock at which every host's is past the number. */
static uint64_t passed_at_ms(const mcp_lock *lock, uint64_t number) {
	uint64_t end_ms = mcp_lock_terms_later(number / US_PER_MS, mcp_lock_fence_skew_ms(lock));
	return mcp_lock_terms_later(end_ms, 1);
}

/* Waits until every host's clock is past the number, if that is soon and the hold lasts. */
static mcp_status wait_for(const fence *self, const mcp_hold *hold, uint64_t number) {
	const mcp_lock *lock = self->lock;
	uint64_t wall_ms = mcp_wall_ms(lock->environment);
	uint64_t end_ms = passed_at_ms(lock, number);
	uint64_t wait_ms = end_ms > wall_ms ? end_ms - wall_ms : 0;
	if (!mcp_lock_hold_is_held(lock, hold)) {
		return MCP_NOT_FOUND;
	}
	uint64_t ahead_ms = mcp_lock_terms_later(mcp_lock_fence_skew_ms(lock), COUNTED_MS);
	if (wait_ms > mcp_lock_terms_later(ahead_ms, mcp_lock_fence_skew_ms(lock))) {
		return refuse(lock, MCP_FENCE_AHEAD, number / US_PER_MS - wall_ms);
	}
	uint64_t now_ms = mcp_monotonic_ms(lock->environment);
	uint64_t spent_ms = now_ms - self->pauses->begun_ms;
	if (spent_ms + wait_ms > WAIT_MAX_MS || wait_ms >= mcp_lock_remaining_ms(lock, hold)) {
		return refuse(lock, MCP_FENCE_TOO_NEW, wait_ms);
	}
	mcp_wait next = mcp_waiting_until(lock->environment, self->pauses, now_ms + wait_ms);
	return next == MCP_WAIT_INTERRUPTED ? MCP_INTERRUPTED : MCP_OK;
}

/* Draws until a number was passed by every host's clock before it was drawn. One that was not is of no use any more: the
 * fence may have been lost, and made anew below it, while it was waited for. */
static mcp_status draw_passed(const fence *self, const mcp_hold *hold, uint64_t *number) {
	for (int round = 0; round < ROUNDS_MAX; round++) {
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

static mcp_status count(const mcp_lock *lock, const mcp_hold *hold, uint64_t *number) {
	if (lock->skew_ms == MCP_LOCK_FOREVER) {
		return refuse(lock, MCP_FENCE_WITHOUT_CLOCK, 0);
	}
	mcp_pauses own = {.has_begun = false};
	fence self = {.lock = lock, .pauses = lock->pauses != NULL ? lock->pauses : &own};
	self.key = mcp_key_fence(&self.buffer, lock->key);
	if (mcp_waiting_begin(lock->environment, self.pauses) == MCP_WAIT_INTERRUPTED) {
		return MCP_INTERRUPTED;
	}
	mcp_status status = draw_passed(&self, hold, number);
	/* None of the fence's changes has to be known: one that comes late only counts on. */
	return status == MCP_UNKNOWN ? MCP_TIMEOUT : status;
}

/* Asks for the server's start first, as it draws first: an item found afterwards then lives in a server that started no
 * later, and a restart in between shows as a lost lock, never as a number too large. */
static mcp_status make(const mcp_lock *lock, mcp_hold *hold) {
	uint64_t number;
	mcp_status status = mcp_store_started_us(lock->store, lock->key, &number);
	bool tells_start = status != MCP_UNSUPPORTED;
	if (!tells_start) {
		status = count(lock, hold, &number);
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_item item;
	status = mcp_lock_hold_read(lock, hold, &item);
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
	if (!mcp_lock_hold_is_held(lock, hold)) {
		return MCP_NOT_FOUND;
	}
	mcp_status status = hold->fencing == 0 ? make(lock, hold) : MCP_OK;
	if (status == MCP_OK) {
		*token = hold->fencing;
	}
	return status;
}
