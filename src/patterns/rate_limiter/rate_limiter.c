/* Counts attempts into slots of time, by memcached's own addition, and takes back what turned out to be too
 * much or too late. A limiter that is a bucket is handed on to rate_bucket.c. */
/* SPDX-License-Identifier: MIT */
#include "rate_limiter.h"

#include "../../core/decimal.h"
#include "../counter/counter.h"
#include "rate_bucket.h"

/* Each means that this process stood still over the end of a slot. */
#define TRIES_MAX 3
#define MICROSECONDS 1000 /* of a millisecond */

enum { SUFFIX_MAX = 3 + 2 * MCP_DECIMAL_MAX_LENGTH };

static const char letters[] = {
	[MCP_LIMITING_WINDOW] = 'w',
	[MCP_LIMITING_SLIDING] = 's',
	[MCP_LIMITING_BUCKET] = 'b',
};

/* Appends ":s6000:" and a slot's number: limiters that cut time otherwise share no number. A bucket's has none
 * behind it. All of them are on the server of `rate->key`. */
static mcp_key number_key(const mcp_rate *rate, mcp_key_buffer *buffer, uint64_t slot) {
	char suffix[SUFFIX_MAX];
	char *end = suffix;
	*end++ = ':';
	*end++ = letters[rate->limit->how];
	end += mcp_decimal_format_u64(mcp_limit_slot_ms(rate->limit), end);
	if (rate->limit->how != MCP_LIMITING_BUCKET) {
		*end++ = ':';
		end += mcp_decimal_format_u64(slot, end);
	}
	return mcp_key_beside(buffer, rate->key, mcp_bytes_of(suffix, (size_t)(end - suffix)));
}

static bool is_bucket(const mcp_rate *rate) {
	return rate->limit->how == MCP_LIMITING_BUCKET;
}

static bool is_sliding(const mcp_rate *rate) {
	return rate->limit->how == MCP_LIMITING_SLIDING;
}

static uint64_t slot_now(const mcp_rate *rate) {
	return mcp_limit_slot(rate->limit, mcp_wall_ms(rate->environment));
}

/* Reads a number; an absent one is 0. */
static mcp_status number_of(const mcp_reply *reply, uint64_t *number) {
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

/* Names the slots that are summed up, `slot` first and so on back in time. Before 1970 there are none. */
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

/* Reads all numbers or none: part of them would be too few. A sum that does not fit is larger than any limit. */
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

/* --- attempting --- */

/* One attempt in the slot that it began in. */
typedef struct attempt {
	const mcp_rate *rate;
	mcp_key_buffer buffer;
	mcp_key key; /* of the slot's number */
	uint64_t slot;
	uint64_t cost;
	uint64_t closed;  /* what the slots before have */
	bool was_there;   /* the slot's number, when it was looked for */
	uint64_t reached; /* by counting this one */
} attempt;

/* Looks, when sliding, before it counts. False if it is known that there is no room. */
static mcp_status look_first(attempt *made, const mcp_slots_scratch *scratch, bool *has_room) {
	uint64_t sum;
	mcp_status status = read_slots(made->rate, scratch, made->slot, &sum);
	if (status != MCP_OK) {
		return status;
	}
	made->closed = sum - scratch->numbers[0];
	made->was_there = scratch->replies[0].status == MCP_OK;
	*has_room = sum + made->cost <= made->rate->limit->limit;
	return MCP_OK;
}

static mcp_status create(attempt *made, uint64_t ttl_ms) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record = {
		.body = mcp_bytes_of(digits, mcp_decimal_format_u64(made->cost, digits)),
		.ttl_ms = ttl_ms,
	};
	made->reached = made->cost;
	return mcp_store_add(made->rate->store, &made->key, &record);
}

/* MCP_EXISTS if the slot is over, for so long that its number would have no end. */
static mcp_status count(attempt *made) {
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
	mcp_status status = made->was_there ? MCP_NOT_STORED : create(made, counter.ttl_ms);
	if (status == MCP_NOT_STORED) {
		int64_t reached = 0;
		status = mcp_counter_start(&counter, 0, (int64_t)made->cost, &reached);
		made->reached = (uint64_t)reached;
	}
	return status;
}

/* Takes back by R2. Without an answer the slot has too much until it leaves the sum: then too few are admitted,
 * not too many. A window's is left, it ends with the window. */
static void take_back(const attempt *made) {
	uint64_t ignored;
	if (is_sliding(made->rate)) {
		(void)mcp_store_decrement(made->rate->store, &made->key, made->cost, &ignored);
	}
}

/* Judges what was counted into a slot that still goes on: those who look at later slots may have summed up this
 * one before (R1). */
static mcp_status judge(const attempt *made, bool *is_admitted) {
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

/* MCP_EXISTS if the slot was over before it could be told whether there is room. */
static mcp_status attempt_once(const mcp_rate *rate, const mcp_slots_scratch *scratch,
	uint64_t cost, bool *is_admitted) {
	attempt made = {.rate = rate, .slot = slot_now(rate), .cost = cost, .was_there = true};
	made.key = number_key(rate, &made.buffer, made.slot);
	bool has_room = true;
	mcp_status status = is_sliding(rate) ? look_first(&made, scratch, &has_room) : MCP_OK;
	if (status != MCP_OK || !has_room) {
		return status;
	}
	status = count(&made);
	if (status == MCP_OUT_OF_RANGE) {
		return MCP_OK; /* and undone: far above any limit */
	}
	return status == MCP_OK ? judge(&made, is_admitted) : status;
}

mcp_status mcp_rate_attempt(const mcp_rate *rate, const mcp_slots_scratch *scratch, uint64_t cost,
	bool *is_admitted) {
	*is_admitted = false;
	if (is_bucket(rate)) {
		mcp_key_buffer buffer;
		mcp_key key = number_key(rate, &buffer, 0);
		return mcp_rate_bucket_attempt(rate, &key, cost, is_admitted);
	}
	mcp_status status = MCP_EXISTS;
	for (int tries = 0; tries < TRIES_MAX && status == MCP_EXISTS; tries++) {
		status = attempt_once(rate, scratch, cost, is_admitted);
	}
	return status;
}

/* --- asking, forgetting --- */

mcp_status mcp_rate_look(const mcp_rate *rate, const mcp_slots_scratch *scratch, uint64_t cost,
	mcp_rate_state *state) {
	const mcp_limit *limit = rate->limit;
	if (is_bucket(rate)) {
		mcp_key_buffer buffer;
		mcp_key key = number_key(rate, &buffer, 0);
		return mcp_rate_bucket_look(rate, &key, cost, state);
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

/* Forgets also what is no number. */
static mcp_status forget_slots(const mcp_rate *rate, const mcp_slots_scratch *scratch) {
	size_t named = name_slots(rate, scratch, slot_now(rate));
	mcp_store_get_many(rate->store, scratch->keys, named, scratch->replies);
	for (size_t i = 0; i < named; i++) {
		mcp_status status = scratch->replies[i].status;
		if (status == MCP_OK) {
			status = forget(rate, &scratch->keys[i]);
		}
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return status;
		}
	}
	return MCP_OK;
}

mcp_status mcp_rate_reset(const mcp_rate *rate, const mcp_slots_scratch *scratch) {
	if (is_bucket(rate)) {
		mcp_key_buffer buffer;
		mcp_key key = number_key(rate, &buffer, 0);
		return forget(rate, &key);
	}
	return forget_slots(rate, scratch);
}
