/* Counts with memcached's arithmetic and hides its quirks: the wrap at 2^64, the padding after a decrement,
 * and numbers that exceed PHP's integers. */
/* SPDX-License-Identifier: MIT */
#include "counter.h"

#include "../../core/decimal.h"
#include "../../core/hex.h"

/* Each round means that the number was created or disappeared in between. */
#define ROUNDS_MAX 16

/* Amount to add or subtract. Every number stops at 0, so the smallest integer subtracts as much as the
 * largest. */
static uint64_t amount_of(int64_t by) {
	if (by >= 0) {
		return (uint64_t)by;
	}
	return by < -INT64_MAX ? INT64_MAX : (uint64_t)-by;
}

/* Whether the number was between 0 and INT64_MAX before and after. After a wrap it is less than the amount
 * added. */
static bool is_in_range(int64_t by, uint64_t amount, uint64_t reached) {
	if (by >= 0) {
		return reached <= INT64_MAX && reached >= amount;
	}
	return reached <= INT64_MAX - amount;
}

/* Undo a change (K3).
 * A change is accepted if the stored number was between 0 and INT64_MAX before and after it. Any other
 * change is undone by an addition modulo 2^64. Additions commute and never stop at 0, and an undone
 * decrement has not stopped there either. So in the end, whatever the order, the refused changes have no
 * effect. The number is the first one plus the accepted changes, modulo 2^64.
 * Until then, the stored number includes changes that will be undone, so others may be refused needlessly.
 * An accepted change can be wrong only if the number looks valid despite that. Then the pending undos amount
 * to 2^63 or more (two of INT64_MAX at once, never the small steps of fewer than 1,000 processes). Or they
 * go both up and down (both beyond INT64_MAX at once). The sum stays correct, but the returned number is off
 * by that amount, and a decrement stops at 0 early or late. The number may also end beyond INT64_MAX, where
 * it is refused until it is set or reset.
 * If a number is set, or reset and recreated, at that moment, the undo is applied to the new one. */
static mcp_status undo(const mcp_counter *counter, int64_t by, uint64_t amount) {
	uint64_t ignored;
	mcp_status status =
		mcp_store_increment(counter->store, counter->key, by < 0 ? amount : 0 - amount, &ignored);
	return mcp_status_is_failure(status) ? MCP_UNKNOWN : MCP_OUT_OF_RANGE;
}

mcp_status mcp_counter_add(const mcp_counter *counter, int64_t by, int64_t *number) {
	uint64_t amount = amount_of(by);
	uint64_t reached;
	mcp_status status = by < 0
		? mcp_store_decrement(counter->store, counter->key, amount, &reached)
		: mcp_store_increment(counter->store, counter->key, amount, &reached);
	return status == MCP_OK ? mcp_counter_accept(counter, by, reached, number) : status;
}

mcp_status mcp_counter_accept(const mcp_counter *counter, int64_t by, uint64_t reached,
	int64_t *number) {
	uint64_t amount = amount_of(by);
	if (!is_in_range(by, amount, reached)) {
		return undo(counter, by, amount);
	}
	*number = (int64_t)reached;
	return MCP_OK;
}

/* The digits of a record, which points into them. */
typedef struct number_record {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record;
} number_record;

static void compose(const mcp_counter *counter, number_record *out, int64_t number) {
	size_t length = mcp_decimal_format_i64(number, out->digits);
	out->record = (mcp_record){
		.body = mcp_bytes_of(out->digits, length),
		.ttl_ms = counter->ttl_ms,
	};
}

static mcp_status create(const mcp_counter *counter, int64_t initial, int64_t by, int64_t *number) {
	int64_t first;
	if (!mcp_decimal_add(initial, by, &first)) {
		return MCP_OUT_OF_RANGE;
	}
	if (first < 0) {
		first = 0;
	}
	number_record written;
	compose(counter, &written, first);
	mcp_status status = mcp_store_add(counter->store, counter->key, &written.record);
	if (status == MCP_OK) {
		*number = first;
	}
	return status;
}

mcp_status mcp_counter_start(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number) {
	for (int round = 0; round < ROUNDS_MAX; round++) {
		mcp_status status = mcp_counter_add(counter, by, number);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		status = create(counter, initial, by, number);
		if (status != MCP_NOT_STORED) {
			return status;
		}
	}
	return MCP_REFUSED;
}

mcp_status mcp_counter_read(const mcp_counter *counter, int64_t *number) {
	mcp_item item;
	mcp_status status = mcp_store_get(counter->store, counter->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	return mcp_counter_parse(&item, number);
}

mcp_status mcp_counter_parse(const mcp_item *item, int64_t *number) {
	uint64_t stored;
	if (!mcp_decimal_parse_u64(item->value, &stored)) {
		return MCP_NOT_A_NUMBER;
	}
	if (stored > INT64_MAX) {
		return MCP_OUT_OF_RANGE;
	}
	*number = (int64_t)stored;
	return MCP_OK;
}

mcp_status mcp_counter_set(const mcp_counter *counter, int64_t number) {
	number_record written;
	compose(counter, &written, number);
	return mcp_store_set(counter->store, counter->key, &written.record);
}

mcp_status mcp_counter_reset(const mcp_counter *counter) {
	mcp_status status = mcp_store_delete(counter->store, counter->key);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

mcp_status mcp_counter_give_back(const mcp_counter *counter, int64_t initial, int64_t taken) {
	int64_t number;
	if (taken == 0) {
		return MCP_OK;
	}
	mcp_store_bypass_breaker(counter->store, counter->key, MCP_BYPASS_TO_RELEASE);
	return mcp_counter_start(counter, initial, taken, &number);
}

/* Guards of the two exclusive tasks of a counter: computing its initial number, and draining it. Both use a
 * short lock, which expires if its holder crashes. */

/* Longer than an initial number usually takes. If others wait longer, the guard lasts as long. */
#define INITIAL_TTL_MIN_MS 10000

static char *append(char *to, const char *from, size_t length) {
	memcpy(to, from, length);
	return to + length;
}

static char *append_text(char *to, const char *text) {
	return append(to, text, strlen(text));
}

/* No Lock has this hash: a Lock's mapped key hashes under MCP_SPACE_LOCK, and its plain key has no mark. */
mcp_key mcp_counter_guard_key(mcp_key_buffer *buffer, const mcp_key *counter,
	mcp_counter_duty duty) {
	size_t prefix_length = counter->wire.length - counter->route.length;
	size_t length = counter->route.length;
	size_t readable = length < MCP_KEY_READABLE_MAX ? length : MCP_KEY_READABLE_MAX;
	const char *scope = duty == MCP_COUNTER_DUTY_DRAIN ? "drain:" : "initial:";

	char *end = append(buffer->bytes, counter->wire.data, prefix_length);
	end = append_text(end, "lock:");
	end = append(end, counter->route.data, readable);
	end = append_text(end, MCP_KEY_MARK);
	mcp_key_hash_hex(end, MCP_SPACE_COUNTER, mcp_bytes_of(scope, strlen(scope)), counter->route);
	end += MCP_KEY_HASH_LENGTH;
	*end = '\0';
	return (mcp_key){
		.wire = mcp_bytes_of(buffer->bytes, (size_t)(end - buffer->bytes)),
		.route = counter->route,
		.fingerprint = counter->fingerprint,
	};
}

void mcp_counter_choose_owner(const mcp_environment *environment,
	char owner[MCP_COUNTER_OWNER_LENGTH]) {
	for (size_t i = 0; i < MCP_COUNTER_OWNER_LENGTH; i += MCP_HEX_U64_LENGTH) {
		mcp_hex_write_u64(mcp_random_u64(environment), owner + i);
	}
}

/* A guard's key and lock; the lock points to the key, so do not copy. */
typedef struct guard {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_lock lock;
} guard;

static uint64_t ttl_of(const mcp_counter *counter, mcp_counter_duty duty) {
	if (duty == MCP_COUNTER_DUTY_DRAIN) {
		return MCP_COUNTER_DRAIN_TTL_MS;
	}
	return counter->wait_ms > INITIAL_TTL_MIN_MS ? counter->wait_ms : INITIAL_TTL_MIN_MS;
}

static void make_guard(guard *made, const mcp_counter *counter, mcp_counter_claim *claim,
	mcp_counter_duty duty) {
	made->key = mcp_counter_guard_key(&made->buffer, counter->key, duty);
	made->lock = (mcp_lock){
		.store = counter->store,
		.environment = counter->environment,
		.key = &made->key,
		.owner = mcp_bytes_of(claim->owner, MCP_COUNTER_OWNER_LENGTH),
		.ttl_ms = ttl_of(counter, duty),
		.skew_ms = MCP_LOCK_SKEW_MS,
	};
}

/* MCP_EXISTS if there is a number, or an item that is not a number, which counting will report. */
static mcp_status look_for_number(const mcp_counter *counter) {
	mcp_item item;
	mcp_status status = mcp_store_get(counter->store, counter->key, &item);
	return status == MCP_OK ? MCP_EXISTS : status;
}

/* Read again under the guard: its last holder may have started the number since the read. */
static mcp_status look_under_guard(const mcp_counter *counter, const guard *held,
	mcp_counter_claim *claim) {
	mcp_status status = look_for_number(counter);
	if (status == MCP_NOT_FOUND) {
		return MCP_OK;
	}
	mcp_lock_release(&held->lock, &claim->hold);
	return status;
}

/* MCP_NOT_STORED if another process computes. */
static mcp_status elect_once(const mcp_counter *counter, const guard *wanted,
	mcp_counter_claim *claim) {
	mcp_status status = mcp_lock_acquire(&wanted->lock, &claim->hold, 0);
	if (status == MCP_OK) {
		return look_under_guard(counter, wanted, claim);
	}
	if (status != MCP_NOT_STORED) {
		return status;
	}
	status = look_for_number(counter);
	return status == MCP_NOT_FOUND ? MCP_NOT_STORED : status;
}

mcp_status mcp_counter_elect(const mcp_counter *counter, mcp_counter_claim *claim) {
	*claim = (mcp_counter_claim){0};
	mcp_counter_choose_owner(counter->environment, claim->owner);
	guard wanted;
	make_guard(&wanted, counter, claim, MCP_COUNTER_DUTY_INITIAL);

	mcp_pauses own = {.has_begun = false};
	mcp_pauses *pauses = counter->pauses != NULL ? counter->pauses : &own;
	mcp_wait next = mcp_waiting_begin(counter->environment, pauses);
	uint64_t end_ms = pauses->begun_ms + counter->wait_ms;
	while (next == MCP_WAIT_AGAIN) {
		mcp_status status = elect_once(counter, &wanted, claim);
		if (status == MCP_EXISTS) {
			mcp_waiting_tell(counter->environment, pauses);
		}
		if (status != MCP_NOT_STORED) {
			return status;
		}
		mcp_waiting_listen(pauses, mcp_store_bell(counter->store, counter->key));
		next = mcp_waiting_pause(counter->environment, pauses, end_ms);
	}
	return next == MCP_WAIT_INTERRUPTED ? MCP_INTERRUPTED : MCP_OK;
}

void mcp_counter_release(const mcp_counter *counter, mcp_counter_claim *claim) {
	if (!mcp_hold_is_open(&claim->hold)) {
		return;
	}
	guard held;
	make_guard(&held, counter, claim, MCP_COUNTER_DUTY_INITIAL);
	mcp_lock_release(&held.lock, &claim->hold);
}

/* Take the number under the guard. MCP_NOT_STORED: if the decrement took as long as the read, the guard
 * would expire first. */
static mcp_status take(const mcp_counter *counter, const mcp_lock *lock, const mcp_hold *hold,
	int64_t *taken) {
	int64_t number;
	uint64_t before_ms = mcp_monotonic_ms(counter->environment);
	mcp_status status = mcp_counter_read(counter, &number);
	if (status == MCP_NOT_FOUND || (status == MCP_OK && number == 0)) {
		return MCP_OK;
	}
	if (status != MCP_OK) {
		return status;
	}
	if (mcp_store_gives_no_cas(counter->store, counter->key)) {
		return MCP_NO_CAS; /* the guard could not be released */
	}
	uint64_t took_ms = mcp_monotonic_ms(counter->environment) - before_ms;
	if (mcp_lock_remaining_ms(lock, hold) <= took_ms) {
		return MCP_NOT_STORED;
	}
	int64_t rest;
	status = mcp_counter_add(counter, -number, &rest);
	if (status == MCP_NOT_FOUND) {
		return MCP_OK;
	}
	*taken = status == MCP_OK || status == MCP_UNKNOWN ? number : 0;
	return status;
}

/* Release the guard. If it was no longer ours, another drain may have taken the same amount: memcached stops
 * at 0, so one of them has counted the other's amount. If the release fails, the own deadline decides. */
static mcp_status finish(const mcp_lock *lock, mcp_hold *hold, int64_t taken, mcp_status status) {
	bool was_held = mcp_lock_is_held(lock, hold);
	mcp_status released = mcp_lock_release(lock, hold);
	bool is_certain = released == MCP_OK || (was_held && released != MCP_NOT_FOUND);
	return status == MCP_OK && taken > 0 && !is_certain ? MCP_UNKNOWN : status;
}

static bool is_time_left(const mcp_counter *counter, const mcp_pauses *pauses) {
	return mcp_monotonic_ms(counter->environment) - pauses->begun_ms < counter->wait_ms;
}

mcp_status mcp_counter_drain(const mcp_counter *counter, int64_t *taken) {
	*taken = 0;
	mcp_counter_claim claim = {0};
	mcp_counter_choose_owner(counter->environment, claim.owner);
	guard drain;
	make_guard(&drain, counter, &claim, MCP_COUNTER_DUTY_DRAIN);

	mcp_pauses own = {.has_begun = false};
	drain.lock.pauses = counter->pauses != NULL ? counter->pauses : &own;
	mcp_status status;
	do {
		status = mcp_lock_acquire(&drain.lock, &claim.hold, counter->wait_ms);
		if (status != MCP_OK) {
			return status;
		}
		status = take(counter, &drain.lock, &claim.hold, taken);
		status = finish(&drain.lock, &claim.hold, *taken, status);
	} while (status == MCP_NOT_STORED && is_time_left(counter, drain.lock.pauses));
	return status;
}
