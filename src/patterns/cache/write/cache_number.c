/* The running number of a cached integer (I1 to I7): memcached cannot increment inside an envelope,
 * so the number lives beside it in the side key, and belongs to the envelope whose counter epoch its
 * client flags carry. */
/* SPDX-License-Identifier: MIT */
#include "cache_number.h"

#include "../../../core/decimal.h"
#include "../../../core/envelope/value_flags.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_look.h"
#include "../entry/cache_meter.h"
#include "../entry/cache_contention.h"
#include "../entry/cache_side_number.h"
#include "cache_store_over.h"
#include "../entry/cache_tags.h"
#include "../look/cache_tags_look.h"

/* memcached's incr does not stop at INT64_MAX. Up to this number, in steps of at most this size, not
 * all the processes in the world at once could get there from what one of them has seen. */
#define PLAIN_NUMBER_MAX (INT64_MAX / 2)
#define PLAIN_STEP_MAX ((uint64_t)1 << 40)
/* No number of fewer digits is larger than that. */
#define PLAIN_DIGITS 19

/* A few milliseconds: a freeze is followed by one round trip, an update's by its computation, too. */
#define FROZEN_LOOKS 3

/* Freezes the envelope's own number where its running number is not made yet, or was evicted. Under the side key
 * there is nothing then, or another value's number: an increment of that one leaves it what it is. */
static mcp_status freeze_unmade(const mcp_cache *cache, const mcp_key *side,
	const mcp_cache_entry *entry) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_record record = {
		.head = mcp_bytes_of(MCP_CACHE_FROZEN_MARK, 1),
		.body = entry->payload,
		.flags = entry->envelope.counter_epoch,
		.ttl_ms = mcp_cache_physical_ttl_ms(cache, &entry->envelope, now_ms),
	};
	mcp_status status = entry->running == MCP_RUNNING_NONE
		? mcp_store_add(cache->store, side, &record)
		: mcp_store_cas(cache->store, side, &record, entry->running_cas);
	bool is_failure = mcp_status_is_failure(status) && status != MCP_UNKNOWN;
	return status == MCP_OK || is_failure ? status : MCP_EXISTS;
}

static inline bool is_still(const mcp_cache_entry *entry) {
	return !entry->envelope.has_counter || entry->running == MCP_RUNNING_FROZEN;
}

/* Freezes whatever the number is by now. Not by cas: memcached writes an increment's cas id into the old item, too,
 * where a reader has that one still in hand, who is then told the number of before with the cas id of after. The
 * mark may come late, or meet another value's number; then the next increment finds it frozen and goes on from
 * there. So only a look after it tells which number stands still. */
mcp_status mcp_cache_freeze(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	if (is_still(entry)) {
		return MCP_OK;
	}
	mcp_cache_side side;
	side.key = mcp_key_side(&side.buffer, key);
	mcp_status status =
		mcp_store_prepend(cache->store, &side.key, mcp_bytes_of(MCP_CACHE_FROZEN_MARK, 1));
	if (mcp_status_is_failure(status) && status != MCP_UNKNOWN) {
		return status;
	}
	mcp_cache_look_closely(cache, key, true, &side, entry);
	mcp_cache_hide_old(cache, entry);
	if (entry->trouble != MCP_OK) {
		return entry->trouble;
	}
	if (!entry->has_value || is_still(entry)) {
		return entry->has_value ? MCP_OK : MCP_EXISTS;
	}
	return entry->running == MCP_RUNNING_ON ? MCP_EXISTS : freeze_unmade(cache, &side.key, entry);
}

void mcp_cache_fold(mcp_cache_entry *entry) {
	entry->stored = entry->payload;
	entry->envelope.has_counter = false;
}

/* One increment's keys and what was found under them. */
typedef struct increment {
	const mcp_cache *cache;
	const mcp_key *key;
	mcp_cache_side side;
	mcp_cache_entry entry;
	int64_t by;
	int64_t base;                     /* the envelope's own number */
	const mcp_cache_initial *initial; /* NULL: without a value there is nothing to count on */
	int patience; /* so often it leaves a frozen number to the one who froze it */
} increment;

/* Asks for the side key before the value: the other way round an increment could be counted on a number that a
 * set in between had ended (some schedules are not linearizable). */
static mcp_status look(increment *call) {
	mcp_cache_look_closely(call->cache, call->key, true, &call->side, &call->entry);
	mcp_cache_hide_old(call->cache, &call->entry);
	const mcp_cache_entry *entry = &call->entry;
	if (entry->trouble != MCP_OK) {
		return entry->trouble;
	}
	if (mcp_status_is_failure(call->side.reply.status)) {
		return call->side.reply.status;
	}
	if (!entry->has_value) {
		mcp_cache_count_unreadable(call->cache, entry);
		return MCP_NOT_FOUND;
	}
	bool is_integer = mcp_value_flags_are_integer(entry->flags) &&
		mcp_decimal_parse_i64(entry->stored, &call->base);
	return is_integer ? MCP_OK : MCP_NOT_A_NUMBER;
}

static bool is_counting(const increment *call) {
	return call->entry.envelope.has_counter && call->side.reply.status == MCP_OK &&
		call->side.reply.item.flags == call->entry.envelope.counter_epoch;
}

/* Sums up; a number that is not negative stops at 0, as memcached's own does. */
static mcp_status sum(const increment *call, int64_t *number) {
	if (!mcp_decimal_add(call->base, call->by, number)) {
		return MCP_OUT_OF_RANGE;
	}
	if (call->base >= 0 && *number < 0) {
		*number = 0;
	}
	return MCP_OK;
}

static uint64_t magnitude(int64_t by) {
	return by < 0 ? 0 - (uint64_t)by : (uint64_t)by;
}

/* Says which numbers are changed in their envelopes, so that no caller is ever shown, or counts on, one that
 * does not fit: memcached counts neither below zero nor only up to INT64_MAX. */
static bool is_for_envelope(const increment *call) {
	if (magnitude(call->by) > PLAIN_STEP_MAX) {
		return true;
	}
	int64_t number = call->base;
	if (call->entry.running == MCP_RUNNING_ON) {
		if (call->entry.payload.length < PLAIN_DIGITS) {
			return false; /* nothing before them: a number that runs is not negative */
		}
		mcp_decimal_parse_i64(call->entry.payload, &number);
	}
	return number < 0 || number > PLAIN_NUMBER_MAX;
}

/* MCP_NOT_FOUND if it was evicted since it was seen. */
static mcp_status count_on(const increment *call, int64_t *number) {
	mcp_store *store = call->cache->store;
	uint64_t by = magnitude(call->by);
	uint64_t result;
	mcp_status status = call->by < 0 ? mcp_store_decrement(store, &call->side.key, by, &result)
									 : mcp_store_increment(store, &call->side.key, by, &result);
	if (status == MCP_OK && result > INT64_MAX) {
		return MCP_OUT_OF_RANGE; /* nothing of ours makes such a number */
	}
	if (status == MCP_OK) {
		*number = (int64_t)result;
	}
	return status;
}

/* Puts the counter bit into the envelope before the side key is made: made first, no increment might count on
 * it, or it might outlive a set. */
static mcp_status announce(increment *call) {
	mcp_envelope envelope = call->entry.envelope;
	uint32_t taken = call->side.reply.status == MCP_OK ? call->side.reply.item.flags : 0;
	do {
		envelope.counter_epoch =
			(uint32_t)mcp_random_u64(call->cache->environment) & MCP_COUNTER_EPOCH_MASK;
	} while (envelope.counter_epoch == taken || envelope.counter_epoch == 0);
	envelope.has_counter = true;
	mcp_status status = mcp_cache_swap(call->cache, call->key, &envelope, &call->entry);
	call->entry.envelope = envelope;
	return status;
}

/* Starts the side key at the envelope's number and this increment. MCP_NOT_STORED, MCP_EXISTS or
 * MCP_NOT_FOUND: another caller was faster. */
static mcp_status start(const increment *call, int64_t *number) {
	mcp_status status = sum(call, number);
	if (status != MCP_OK) {
		return status;
	}
	const mcp_cache *cache = call->cache;
	const mcp_envelope *envelope = &call->entry.envelope;
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record = {
		.body = mcp_bytes_of(digits, mcp_decimal_format_i64(*number, digits)),
		.flags = envelope->counter_epoch,
		.ttl_ms = mcp_cache_physical_ttl_ms(cache, envelope, mcp_wall_ms(cache->environment)),
	};
	if (call->side.reply.status == MCP_OK) {
		return mcp_store_cas(cache->store, &call->side.key, &record, call->side.reply.item.cas);
	}
	return mcp_store_add(cache->store, &call->side.key, &record);
}

/* Brings a number that has a side key back from there first. */
static mcp_status count_in_envelope(increment *call, int64_t *number) {
	mcp_status status;
	if (call->entry.envelope.has_counter) {
		status = mcp_cache_freeze(call->cache, call->key, &call->entry);
		return status == MCP_OK ? MCP_EXISTS : status;
	}
	status = sum(call, number);
	if (status != MCP_OK) {
		return status;
	}
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_entry changed = call->entry;
	changed.stored = mcp_bytes_of(digits, mcp_decimal_format_i64(*number, digits));
	return mcp_cache_swap(call->cache, call->key, &changed.envelope, &changed);
}

/* Waits for the process that froze the number and has not changed the envelope yet. After some pauses it is
 * taken for dead, and the number goes on from there. At once, a hot number would never stand still for long
 * enough. */
static mcp_status unfreeze(increment *call) {
	if (call->patience > 0) {
		call->patience--;
		return MCP_EXISTS;
	}
	mcp_cache_fold(&call->entry);
	mcp_status status = mcp_cache_swap(call->cache, call->key, &call->entry.envelope, &call->entry);
	bool is_failure = mcp_status_is_failure(status) && status != MCP_UNKNOWN;
	return is_failure ? status : MCP_EXISTS; /* nothing was counted yet: look again */
}

/* Makes the value by I8, as add does: of all who found none one succeeds. */
static mcp_status begin_at_initial(increment *call, int64_t *number) {
	call->base = call->initial->number;
	mcp_status status = sum(call, number);
	if (status != MCP_OK) {
		return status;
	}
	status = mcp_cache_make_tags(call->cache, call->key, &call->entry);
	if (status != MCP_OK) {
		return status;
	}
	mcp_captured_tags captured;
	mcp_cache_capture(call->cache, &call->entry, &captured);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = {
		.payload = mcp_bytes_of(digits, mcp_decimal_format_i64(*number, digits)),
		.flags = MCP_VALUE_INT,
		.lifetime = call->initial->lifetime,
		.tags = mcp_captured_tags_view(&captured),
	};
	status = mcp_cache_store_over(call->cache, call->key, &value, &call->entry);
	mcp_cache_tally_stored(call->cache, call->key, status);
	return status;
}

static mcp_status try_increment(increment *call, int64_t *number) {
	mcp_status status = look(call);
	if (status == MCP_NOT_FOUND && call->initial != NULL) {
		return begin_at_initial(call, number);
	}
	if (status != MCP_OK) {
		return status;
	}
	if (call->entry.running == MCP_RUNNING_FROZEN) {
		return unfreeze(call);
	}
	if (is_for_envelope(call)) {
		status = count_in_envelope(call, number);
		return status == MCP_NOT_FOUND ? MCP_EXISTS : status;
	}
	if (is_counting(call)) {
		status = count_on(call, number);
		bool was_counting = call->entry.running == MCP_RUNNING_ON;
		bool is_lost = status == MCP_NOT_FOUND || (status == MCP_NOT_A_NUMBER && was_counting);
		return is_lost ? MCP_EXISTS : status;
	}
	if (!call->entry.envelope.has_counter) {
		status = announce(call);
		if (status == MCP_UNKNOWN) {
			return MCP_EXISTS; /* nothing was counted yet: look again */
		}
	}
	if (status == MCP_OK) {
		status = start(call, number);
	}
	bool is_lost = status == MCP_NOT_STORED || status == MCP_NOT_FOUND;
	return is_lost ? MCP_EXISTS : status;
}

mcp_status mcp_cache_increment(const mcp_cache *cache, const mcp_key *key, int64_t by,
	int64_t *number) {
	return mcp_cache_increment_from(cache, key, by, NULL, number);
}

mcp_status mcp_cache_increment_from(const mcp_cache *cache, const mcp_key *key, int64_t by,
	const mcp_cache_initial *initial, int64_t *number) {
	increment call; /* each look fills in what it found: clearing that costs too much */
	call.cache = cache;
	call.key = key;
	call.by = by;
	call.initial = initial;
	call.patience = FROZEN_LOOKS;
	call.side.key = mcp_key_side(&call.side.buffer, key);
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_increment(&call, number);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return mcp_cache_count_change(cache, key, status);
}
