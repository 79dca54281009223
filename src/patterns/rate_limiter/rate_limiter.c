/* Counts attempts in time windows with memcached's increment, and undoes an attempt that exceeds the limit or is too
 * late. A token bucket is one item, changed with compare-and-swap. */
/* SPDX-License-Identifier: MIT */
#include "rate_limiter.h"

#include "../../core/backoff.h"
#include "../../core/bytes.h"
#include "../counter/counter.h"

/* Maximum number of tries of one attempt. Each further try means that this process was paused across the end of a
 * slot. */
#define TRIES_MAX 3
enum { SUFFIX_MAX = 3 + 2 * MCP_DECIMAL_MAX_LENGTH };

static const char letters[] = {
	[MCP_LIMITING_FIXED_WINDOW] = 'w',
	[MCP_LIMITING_SLIDING_WINDOW] = 's',
	[MCP_LIMITING_TOKEN_BUCKET] = 'b',
};

/* Append ":s6000:" and the slot number, so that limiters with different algorithms or slot lengths do not share
 * numbers. A bucket's key has no slot number. All keys are on the server of `rate->key`. */
static mcp_key number_key(const mcp_rate *rate, mcp_key_buffer *buffer, uint64_t slot) {
	char suffix[SUFFIX_MAX];
	char *end = suffix;
	*end++ = ':';
	*end++ = letters[rate->limit->algorithm];
	end += mcp_decimal_format_u64(mcp_limit_slot_ms(rate->limit), end);
	if (rate->limit->algorithm != MCP_LIMITING_TOKEN_BUCKET) {
		*end++ = ':';
		end += mcp_decimal_format_u64(slot, end);
	}
	return mcp_key_beside(buffer, rate->key, mcp_bytes_of(suffix, (size_t)(end - suffix)));
}

static bool is_bucket(const mcp_rate *rate) {
	return rate->limit->algorithm == MCP_LIMITING_TOKEN_BUCKET;
}

static bool is_sliding(const mcp_rate *rate) {
	return rate->limit->algorithm == MCP_LIMITING_SLIDING_WINDOW;
}

/* --- TokenBucket: advances the stored arrival time with cas, and reads again after a concurrent change --- */

/* Maximum number of rounds. Each further round means that another attempt was admitted in between. */
#define ROUNDS_MAX 64
#define PAUSE_MIN_MS 1
#define PAUSE_MAX_MS 10
#define MICROSECONDS 1000 /* per millisecond */
/* Minimum lifetime of a number. Its TTL ends 2 s after the arrival time, and memcached can cut 1 s. */
#define LIFE_MIN_MS 1000

static uint64_t now_us(const mcp_rate *rate) {
	return mcp_wall_ms(rate->environment) * MICROSECONDS;
}

/* A missing number is 0. */
static mcp_status number_of(const mcp_op *reply, uint64_t *number) {
	*number = 0;
	if (reply->status == MCP_NOT_FOUND) {
		return MCP_OK;
	}
	if (reply->status != MCP_OK) {
		return reply->status;
	}
	bool is_number =
		mcp_decimal_parse_u64(reply->item.value, number) && *number <= (uint64_t)INT64_MAX;
	return is_number ? MCP_OK : MCP_NOT_A_NUMBER;
}

/* Read the arrival time. A missing number is read as 0, an arrival far in the past, with *cas 0. */
static mcp_status read_number(const mcp_rate *rate, const mcp_key *key, uint64_t *stored_us,
	uint64_t *cas) {
	mcp_op reply;
	reply.status = mcp_store_get(rate->store, key, &reply.item);
	*cas = reply.status == MCP_OK ? reply.item.cas : 0;
	mcp_status status = number_of(&reply, stored_us);
	return reply.status == MCP_NOT_FOUND ? MCP_NOT_FOUND : status;
}

/* Use `add` if the item was missing, in order not to overwrite an attempt that was stored in between. */
static mcp_status write_number(const mcp_rate *rate, const mcp_key *key, mcp_status found,
	const mcp_record *record, uint64_t cas) {
	if (found == MCP_NOT_FOUND) {
		mcp_status status = mcp_store_add(rate->store, key, record);
		return status == MCP_NOT_STORED ? MCP_EXISTS : status;
	}
	mcp_status status = mcp_store_cas(rate->store, key, record, cas);
	return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
}

/* MCP_EXISTS: other attempts came in between, or might have come. Read again. `*own_us`: number that this attempt has
 * added too late, which the next round replaces; 0: none. */
static mcp_status attempt_bucket_once(const mcp_rate *rate, const mcp_key *key, uint64_t cost,
	uint64_t *own_us, bool *is_admitted) {
	uint64_t stored_us, cas, arrival_us;
	uint64_t began_ms = mcp_monotonic_ms(rate->environment);
	mcp_status found = read_number(rate, key, &stored_us, &cas);
	if (found != MCP_OK && found != MCP_NOT_FOUND) {
		return found;
	}
	uint64_t now = now_us(rate);
	uint64_t base_us = stored_us == *own_us ? 0 : stored_us;
	if (!mcp_limit_bucket_takes(rate->limit, base_us, now, cost, &arrival_us)) {
		return MCP_OK;
	}
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record = {
		.body = mcp_bytes_of(digits, mcp_decimal_format_u64(arrival_us, digits)),
		.ttl_ms = mcp_limit_bucket_ttl_ms(arrival_us, now),
	};
	mcp_status status = write_number(rate, key, found, &record, cas);
	/* Other attempts might have come and expired since the miss. A process that was paused for that long has decided
	 * from an outdated bucket, although its add succeeded. */
	if (status == MCP_OK && found == MCP_NOT_FOUND &&
		mcp_monotonic_ms(rate->environment) - began_ms >= LIFE_MIN_MS) {
		*own_us = arrival_us;
		return MCP_EXISTS;
	}
	*is_admitted = status == MCP_OK;
	return status;
}

/* Implements mcp_rate_attempt for a TokenBucket. The next function implements mcp_rate_read_state. */
static mcp_status attempt_bucket(const mcp_rate *rate, uint64_t cost, bool *is_admitted) {
	mcp_key_buffer buffer;
	mcp_key key = number_key(rate, &buffer, 0);
	mcp_backoff backoff = {PAUSE_MIN_MS, PAUSE_MAX_MS, PAUSE_MIN_MS};
	uint64_t own_us = 0;
	for (int round = 1;; round++) {
		mcp_status status = attempt_bucket_once(rate, &key, cost, &own_us, is_admitted);
		if (status != MCP_EXISTS || round == ROUNDS_MAX) {
			return status;
		}
		uint64_t random = mcp_random_u64(rate->environment);
		mcp_sleep_ms(rate->environment, mcp_backoff_next_ms(&backoff, random, 0, UINT64_MAX));
	}
}

static mcp_status look_at_bucket(const mcp_rate *rate, uint64_t cost, mcp_rate_state *state) {
	mcp_key_buffer buffer;
	mcp_key key = number_key(rate, &buffer, 0);
	uint64_t stored_us, cas;
	mcp_status status = read_number(rate, &key, &stored_us, &cas);
	if (status != MCP_OK && status != MCP_NOT_FOUND) {
		return status;
	}
	uint64_t now = now_us(rate);
	state->remaining = mcp_limit_bucket_remaining(rate->limit, stored_us, now);
	uint64_t wait_us = mcp_limit_bucket_wait_us(rate->limit, stored_us, now, cost);
	/* Attempts read the clock in whole milliseconds, so the last one must have passed completely. */
	state->wait_us = (wait_us + MICROSECONDS - 1) / MICROSECONDS * MICROSECONDS;
	return MCP_OK;
}

static uint64_t slot_now(const mcp_rate *rate) {
	return mcp_limit_slot(rate->limit, mcp_wall_ms(rate->environment));
}

/* Make the keys of the summed slots, from `slot` back in time, and return their number. There are no slots before
 * 1970. */
static size_t name_slots(const mcp_rate *rate, const mcp_slots_scratch *scratch, uint64_t slot) {
	size_t count = mcp_limit_slots_summed(rate->limit);
	for (size_t i = 0; i < count; i++) {
		if (i > slot) {
			return i;
		}
		scratch->keys[i] = number_key(rate, &scratch->buffers[i], slot - i);
	}
	return count;
}

/* Read all numbers or fail, because a partial sum would be too small. If the sum overflows, it exceeds every
 * limit. */
static mcp_status read_slots(const mcp_rate *rate, const mcp_slots_scratch *scratch, uint64_t slot,
	uint64_t *sum) {
	size_t wanted = mcp_limit_slots_summed(rate->limit);
	size_t named = name_slots(rate, scratch, slot);
	memset(scratch->numbers, 0, wanted * sizeof(*scratch->numbers));
	mcp_store_get_many(rate->store, scratch->keys, named, scratch->replies);
	*sum = 0;
	for (size_t i = 0; i < named; i++) {
		mcp_status status = number_of(&scratch->replies[i], &scratch->numbers[i]);
		if (status != MCP_OK) {
			return status;
		}
		uint64_t room = (uint64_t)INT64_MAX - *sum;
		*sum += scratch->numbers[i] < room ? scratch->numbers[i] : room;
	}
	return MCP_OK;
}

/* --- attempts --- */

/* An attempt, in the slot in which it began. */
typedef struct attempt {
	const mcp_rate *rate;
	mcp_key_buffer buffer;
	mcp_key key; /* key of the slot's number */
	uint64_t slot;
	uint64_t cost;
	uint64_t closed;  /* sum of the previous slots */
	bool was_there;   /* the slot's number existed when it was read */
	uint64_t reached; /* number including this attempt */
} attempt;

/* SlidingWindow: read the slots before the attempt is counted. *has_room is false if the attempt certainly exceeds
 * the limit. */
static mcp_status read_first(attempt *made, const mcp_slots_scratch *scratch, bool *has_room) {
	uint64_t sum;
	mcp_status status = read_slots(made->rate, scratch, made->slot, &sum);
	if (status != MCP_OK) {
		return status;
	}
	made->key = scratch->keys[0];
	made->closed = sum - scratch->numbers[0];
	made->was_there = scratch->replies[0].status == MCP_OK;
	*has_room = sum + made->cost <= made->rate->limit->limit;
	return MCP_OK;
}

/* MCP_EXISTS if the slot is so old that its number has expired. */
static mcp_status count_attempt(attempt *made) {
	const mcp_rate *rate = made->rate;
	mcp_counter counter = {
		.store = rate->store,
		.environment = rate->environment,
		.key = &made->key,
		.ttl_ms = mcp_limit_slot_ttl_ms(rate->limit, made->slot, mcp_wall_ms(rate->environment)),
	};
	if (counter.ttl_ms == 0) {
		return MCP_EXISTS;
	}
	int64_t reached = 0, cost = (int64_t)made->cost;
	mcp_status status =
		made->was_there ? MCP_NOT_STORED : mcp_counter_create(&counter, 0, cost, &reached);
	if (status == MCP_NOT_STORED) {
		status = mcp_counter_start(&counter, 0, cost, &reached);
	}
	made->reached = (uint64_t)reached;
	return status;
}

/* Undo the attempt (R2). If the undo is lost, the slot's number is too high until the slot leaves the sum, so too few
 * attempts are admitted, never too many. A FixedWindow undoes nothing: its number stays until the window ends. */
static void take_back(const attempt *made) {
	uint64_t ignored;
	if (is_sliding(made->rate)) {
		(void)mcp_store_decrement(made->rate->store, &made->key, made->cost, &ignored);
	}
}

/* Decide only in a slot that has not ended, because readers of later slots might already have summed this slot
 * (R1). */
static mcp_status judge_attempt(const attempt *made, bool *is_admitted) {
	if (slot_now(made->rate) != made->slot) {
		take_back(made);
		return MCP_EXISTS;
	}
	*is_admitted = made->reached + made->closed <= made->rate->limit->limit;
	if (!*is_admitted) {
		take_back(made);
	}
	return MCP_OK;
}

/* MCP_EXISTS if the slot ended before the decision. */
static mcp_status attempt_once(const mcp_rate *rate, const mcp_slots_scratch *scratch,
	uint64_t cost, bool *is_admitted) {
	attempt made = {.rate = rate, .slot = slot_now(rate), .cost = cost, .was_there = true};
	bool has_room = true;
	mcp_status status = MCP_OK;
	if (is_sliding(rate)) {
		status = read_first(&made, scratch, &has_room);
	} else {
		made.key = number_key(rate, &made.buffer, made.slot);
	}
	if (status != MCP_OK || !has_room) {
		return status;
	}
	status = count_attempt(&made);
	if (status == MCP_OUT_OF_RANGE) {
		return MCP_OK; /* rejected and undone: far above any limit */
	}
	return status == MCP_OK ? judge_attempt(&made, is_admitted) : status;
}

mcp_status mcp_rate_attempt(const mcp_rate *rate, const mcp_slots_scratch *scratch, uint64_t cost,
	bool *is_admitted) {
	*is_admitted = false;
	if (is_bucket(rate)) {
		return attempt_bucket(rate, cost, is_admitted);
	}
	mcp_status status = MCP_EXISTS;
	for (int tries = 0; tries < TRIES_MAX && status == MCP_EXISTS; tries++) {
		status = attempt_once(rate, scratch, cost, is_admitted);
	}
	return status;
}

/* --- reading and resetting --- */

mcp_status mcp_rate_read_state(const mcp_rate *rate, const mcp_slots_scratch *scratch,
	uint64_t cost, mcp_rate_state *state) {
	const mcp_limit *limit = rate->limit;
	if (is_bucket(rate)) {
		return look_at_bucket(rate, cost, state);
	}
	uint64_t sum;
	uint64_t now_ms = mcp_wall_ms(rate->environment);
	mcp_status status = read_slots(rate, scratch, mcp_limit_slot(limit, now_ms), &sum);
	if (status == MCP_OK) {
		state->remaining = limit->limit > sum ? limit->limit - sum : 0;
		state->wait_us =
			MICROSECONDS * mcp_limit_slots_wait_ms(limit, scratch->numbers, sum, cost, now_ms);
	}
	return status;
}

static mcp_status forget(const mcp_rate *rate, const mcp_key *key) {
	mcp_status status = mcp_store_delete(rate->store, key);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

mcp_status mcp_rate_reset(const mcp_rate *rate, const mcp_slots_scratch *scratch) {
	if (is_bucket(rate)) {
		mcp_key_buffer buffer;
		mcp_key key = number_key(rate, &buffer, 0);
		return forget(rate, &key);
	}
	size_t named = name_slots(rate, scratch, slot_now(rate));
	mcp_store_get_many(rate->store, scratch->keys, named, scratch->replies);
	for (size_t i = 0; i < named; i++) {
		mcp_status status = scratch->replies[i].status;
		status = status == MCP_OK ? forget(rate, &scratch->keys[i]) : status;
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return status;
		}
	}
	return MCP_OK;
}
