/* Guards what only one process may do with a counter at a time: compute its first number, and drain it. Both
 * stand under a short lock, and neither hangs when the process that has it dies. */
/* SPDX-License-Identifier: MIT */
#include "counter.h"

#include "../../core/hex.h"

/* Longer than a first number may well take. Where others are to wait longer, it lasts as long. */
#define INITIAL_TTL_MIN_MS 10000

enum { READABLE_MAX = 60, HASH_HEX_LENGTH = 32 };

static char *append(char *to, const char *from, size_t length) {
	memcpy(to, from, length);
	return to + length;
}

static char *append_text(char *to, const char *text) {
	return append(to, text, strlen(text));
}

/* Hashes as no Lock does: a Lock's own mapped key hashes under MCP_SPACE_LOCK, and its plain one has no mark. */
mcp_key mcp_counter_guard_key(mcp_key_buffer *buffer, const mcp_key *counter,
	mcp_counter_duty duty) {
	size_t prefix_length = counter->wire.length - counter->route.length;
	size_t readable = counter->route.length < READABLE_MAX ? counter->route.length : READABLE_MAX;
	const char *scope = duty == MCP_COUNTER_DUTY_DRAIN ? "drain:" : "initial:";

	char *end = append(buffer->bytes, counter->wire.data, prefix_length);
	end = append_text(end, "lock:");
	end = append(end, counter->route.data, readable);
	end = append_text(end, MCP_KEY_MARK);
	mcp_key_hash_hex(end, MCP_SPACE_COUNTER, mcp_bytes_of(scope, strlen(scope)), counter->route);
	end += HASH_HEX_LENGTH;
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

/* The guard's key, and the lock over it; the lock points at the key beside it. */
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

/* MCP_EXISTS if there is a number (or something that is none, which counting will complain about). */
static mcp_status look_for_number(const mcp_counter *counter) {
	mcp_item item;
	mcp_status status = mcp_store_get(counter->store, counter->key, &item);
	return status == MCP_OK ? MCP_EXISTS : status;
}

/* Looks again under the guard: its last holder may have started the number since it was looked for. */
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

/* Takes it under the guard. MCP_NOT_STORED: the guard would run out before the number is taken, if that took as
 * long as reading it. */
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
		return MCP_NO_CAS; /* the guard could not be given back */
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

/* Gives the guard back. If it was not ours until then, what was taken may be what another drain had
 * emptied already, or was about to: where memcached stops at 0, one of the two has taken what is counted
 * in the other's. Where that cannot be asked the own deadline must do. */
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
