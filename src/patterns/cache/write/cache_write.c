/* Writes. Each write except increment and touch starts a new epoch, so that no computation that began before is
 * stored after it. Also the running number of a value. */
/* SPDX-License-Identifier: MIT */
#include "cache_write.h"

#include "../../../core/bytes.h"
#include "../../../core/envelope/value_flags.h"
#include "../../../store/store.h"
#include "../entry/cache_meter.h"
#include "../entry/cache_envelope.h"
#include "../entry/cache_tags.h"
#include "../look/cache_look.h"

#include <stdlib.h>

/* --- storing over an entry, and verifying a write without a reply --- */

mcp_status mcp_cache_resolve_epoch(const mcp_cache *cache, const mcp_key *key, uint64_t epoch) {
	mcp_cache_entry entry;
	mcp_store_bypass_breaker(cache->store, key, MCP_BYPASS_TO_RESOLVE);
	mcp_cache_fetch(cache, key, &entry);
	bool is_ours = entry.trouble == MCP_OK && !entry.is_absent && !entry.is_unreadable &&
		entry.envelope.epoch == epoch;
	return is_ours ? MCP_OK : MCP_UNKNOWN;
}

/* Store under a new epoch over `before`: by add if the key was missing, otherwise by cas. Verify an
 * unknown outcome by the epoch if possible.
 * - MCP_OK: stored
 * - MCP_EXISTS: another caller was faster
 * - MCP_UNSUPPORTED: the CAS value is of `connection`, which is closed; nothing was sent. 0: of the last read
 * - otherwise a failure */
static mcp_status store_over(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, const mcp_cache_entry *before, uint64_t connection) {
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_envelope envelope = mcp_cache_compose_value(cache, key, value, NULL, &record);
	mcp_op write;
	mcp_op_begin(&write, before->is_absent ? MCP_OP_ADD : MCP_OP_CAS, key, &record.record);
	write.expects = before->is_absent ? (mcp_proof){0} : (mcp_proof){before->cas, connection};
	if (write.expects.connection != 0) {
		mcp_store_steps_at_once(cache->store, &write, 1); /* CAS value that was read */
	} else {
		write.status = mcp_store_change(cache->store, &write);
	}
	mcp_status status = write.status;
	if (status == MCP_UNKNOWN) {
		return mcp_cache_resolve_epoch(cache, key, envelope.epoch);
	}
	bool is_lost = status == MCP_NOT_STORED || status == MCP_NOT_FOUND;
	return is_lost ? MCP_EXISTS : status;
}

/* Write, and read the cache's tags, in one round trip if possible; for an add, also read the key. The value gets the
 * right tags instead of wrong guesses. MCP_UNSUPPORTED: nothing was sent. MCP_EXISTS: `entry` has to be replaced, or
 * the tags were wrong. */
static mcp_status write_and_read(const mcp_cache *cache, mcp_op *write, mcp_cache_value *value,
	mcp_captured_tags *captured, mcp_cache_entry *entry, uint64_t *at_ms) {
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_envelope envelope = mcp_cache_compose_value(cache, write->key, value, NULL, &record);
	*at_ms = envelope.created_ms;
	write->record = &record.record;
	bool are_current = mcp_cache_write_and_read(cache, write, value->tags, entry, captured);
	if (write->status == MCP_UNSUPPORTED && !value->tags_are_guessed) {
		write->status = mcp_store_change(cache->store, write);
		if (write->status == MCP_NOT_STORED) {
			mcp_cache_examine(cache, write->key, entry);
		}
	}
	mcp_status status = write->status;
	if (status == MCP_UNKNOWN && write->verb == MCP_OP_ADD) {
		status = mcp_cache_resolve_epoch(cache, write->key, envelope.epoch);
		are_current = status == MCP_OK && value->tags_are_guessed &&
			mcp_cache_capture_now(cache, write->key, captured) == MCP_OK &&
			mcp_bytes_equal(mcp_captured_tags_view(captured), value->tags);
	}
	bool has_outcome = status == MCP_OK || status == MCP_UNSUPPORTED || status == MCP_NOT_STORED;
	if (!value->tags_are_guessed || are_current || !has_outcome) {
		return status;
	}
	if (status == MCP_UNSUPPORTED) {
		mcp_cache_rest_from_guesses(cache, write->key);
	}
	mcp_status renewed =
		captured->length > 0 ? MCP_OK : mcp_cache_capture_now(cache, write->key, captured);
	value->tags = mcp_captured_tags_view(captured);
	return renewed != MCP_OK ? renewed : status == MCP_OK ? MCP_EXISTS : status;
}

/* The running number of a cached integer (I1 to I7). memcached cannot increment inside an envelope. So the
 * number is stored in the side key, and belongs to the envelope whose counter epoch its client flags equal. */

/* memcached's incr does not stop at INT64_MAX. Up to this number and step size, no realistic number of
 * concurrent increments reaches it. */
#define PLAIN_NUMBER_MAX (INT64_MAX / 2)
#define PLAIN_STEP_MAX ((uint64_t)1 << 40)
/* A number with fewer digits is never larger than PLAIN_NUMBER_MAX. */
#define PLAIN_DIGITS 19

/* Number of lookups before unfreezing, some milliseconds: a freeze is followed by 1 round trip, and by the
 * computation of an update. */
#define FROZEN_LOOKS 3

/* Freeze the envelope's own number if the value's running number is missing or evicted. The side key is then
 * missing or has another value's number, which no increment turns into this value's number. */
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

/* Freeze the number before a counted value is changed or taken, and read the value again. MCP_OK: a value exists that a
 * cache without stale reads would serve, possibly another value. No increment changes the number in the entry until the
 * envelope is changed. MCP_EXISTS: read again. Sends nothing if the entry shows a frozen number or no counter. The
 * entry's number need not have been read. Cost: 2 round trips under any number of increments, 3 without a running
 * number. If the freezing process crashes, the number is still shown. Increments continue from it after some pauses.
 * Freeze the counter with `prepend`, not with cas. During an increment, memcached can return the previous number with
 * the new CAS value. The mark can arrive late or hit the counter of a newer value. The next increment then unfreezes
 * it. Read the key again to learn which number is frozen. */
static mcp_status freeze_number(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry) {
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
	mcp_cache_read_with_tags(cache, key, true, &side, entry);
	mcp_cache_hide_stale(cache, entry);
	if (entry->trouble != MCP_OK) {
		return entry->trouble;
	}
	if (!entry->has_value || is_still(entry)) {
		return entry->has_value ? MCP_OK : MCP_EXISTS;
	}
	return entry->running == MCP_RUNNING_ON ? MCP_EXISTS : freeze_unmade(cache, &side.key, entry);
}

/* Move the shown number into the entry's envelope and end the counter, without I/O. */
static void fold_number(mcp_cache_entry *entry) {
	entry->stored = entry->payload;
	entry->envelope.has_counter = false;
}

typedef struct increment {
	const mcp_cache *cache;
	const mcp_key *key;
	mcp_cache_side side;
	mcp_cache_entry entry;
	int64_t by;
	int64_t base;                     /* the envelope's own number */
	const mcp_cache_initial *initial; /* NULL: a missing value cannot be incremented */
	int patience; /* remaining times that the call waits for the process that froze the number */
} increment;

/* Read the running number before the value. In the opposite order, an increment could change a number that a set
 * in between had replaced, which would not be linearizable. */
static mcp_status read_with_number(increment *call) {
	mcp_cache_read_with_tags(call->cache, call->key, true, &call->side, &call->entry);
	mcp_cache_hide_stale(call->cache, &call->entry);
	const mcp_cache_entry *entry = &call->entry;
	if (entry->trouble != MCP_OK) {
		return entry->trouble;
	}
	if (mcp_status_is_failure(call->side.status)) {
		return call->side.status;
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
	return call->entry.envelope.has_counter && call->side.status == MCP_OK &&
		call->side.item.flags == call->entry.envelope.counter_epoch;
}

/* A nonnegative number stops at 0, as in memcached's decr. */
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

/* Whether the number must be changed in its envelope: memcached neither counts below 0 nor stops at INT64_MAX.
 * No caller may see or use a number that does not fit. */
static bool is_for_envelope(const increment *call) {
	if (magnitude(call->by) > PLAIN_STEP_MAX) {
		return true;
	}
	int64_t number = call->base;
	if (call->entry.running == MCP_RUNNING_ON) {
		if (call->entry.payload.length < PLAIN_DIGITS) {
			return false; /* without a sign: a running number is not negative */
		}
		mcp_decimal_parse_i64(call->entry.payload, &number);
	}
	return number < 0 || number > PLAIN_NUMBER_MAX;
}

/* MCP_NOT_FOUND: the number was evicted since it was read. */
static mcp_status count_on(const increment *call, int64_t *number) {
	mcp_store *store = call->cache->store;
	uint64_t by = magnitude(call->by);
	uint64_t result = 0;
	mcp_status status = call->by < 0 ? mcp_store_decrement(store, &call->side.key, by, &result)
									 : mcp_store_increment(store, &call->side.key, by, &result);
	if (status == MCP_OK && result > INT64_MAX) {
		return MCP_OUT_OF_RANGE; /* never caused by this extension */
	}
	if (status == MCP_OK) {
		*number = (int64_t)result;
	}
	return status;
}

/* Set the counter bit in the envelope before the side key is created. In the opposite order, an increment might not use
 * the side key, or the number might survive a set. */
static mcp_status announce(increment *call) {
	mcp_envelope envelope = call->entry.envelope;
	uint32_t taken = call->side.status == MCP_OK ? call->side.item.flags : 0;
	do {
		envelope.counter_epoch =
			(uint32_t)mcp_random_u64(call->cache->environment) & MCP_COUNTER_EPOCH_MASK;
	} while (envelope.counter_epoch == taken || envelope.counter_epoch == 0);
	envelope.has_counter = true;
	mcp_status status = mcp_cache_swap(call->cache, call->key, &envelope, &call->entry);
	call->entry.envelope = envelope;
	return status;
}

/* Create the running number: the envelope's number plus this increment. MCP_NOT_STORED, MCP_EXISTS or
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
	if (call->side.status == MCP_OK) {
		return mcp_store_cas(cache->store, &call->side.key, &record, call->side.item.cas);
	}
	return mcp_store_add(cache->store, &call->side.key, &record);
}

/* If there is a running number, first move it back into the envelope. */
static mcp_status count_in_envelope(increment *call, int64_t *number) {
	mcp_status status;
	if (call->entry.envelope.has_counter) {
		status = freeze_number(call->cache, call->key, &call->entry);
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

/* Wait for the process that froze the number. After some pauses, assume that it crashed, and continue from that
 * number. Without the pauses, a hot number would not remain frozen long enough. */
static mcp_status unfreeze(increment *call) {
	if (call->patience > 0) {
		call->patience--;
		return MCP_EXISTS;
	}
	fold_number(&call->entry);
	mcp_status status = mcp_cache_swap(call->cache, call->key, &call->entry.envelope, &call->entry);
	bool is_failure = mcp_status_is_failure(status) && status != MCP_UNKNOWN;
	return is_failure ? status : MCP_EXISTS; /* not counted yet: read again */
}

/* Create the value like `add`: exactly one of the callers with a miss succeeds (I8). */
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
	status = store_over(call->cache, call->key, &value, &call->entry, 0);
	mcp_cache_tally_stored(call->cache, call->key, status);
	return status;
}

static mcp_status try_increment(increment *call, int64_t *number) {
	mcp_status status = read_with_number(call);
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
			return MCP_EXISTS; /* not counted yet: read again */
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
	increment call; /* filled by each lookup; clearing it would be too expensive */
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

/* Treat an abandoned write as not stored. */
static mcp_status after_write(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	mcp_cache_count_change(cache, key, status);
	return status == MCP_EXISTS ? MCP_NOT_STORED : status;
}

/* Finish a write that reads the clock on every attempt. */
static mcp_status finish_tries(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	mcp_cache_tally_stored(cache, key, status);
	return after_write(cache, key, status);
}

mcp_status mcp_cache_finish_write(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms) {
	mcp_cache_tally_stored_at(cache, key, status, at_ms);
	return after_write(cache, key, status);
}

static mcp_status set_plain(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value) {
	char header[MCP_ENVELOPE_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_envelope envelope = mcp_cache_compose_value(cache, key, value, NULL, &record);
	mcp_store_begin_change(cache->store, key);
	mcp_status status = mcp_store_set(cache->store, key, &record.record);
	return mcp_cache_finish_write(cache, key, status, envelope.created_ms);
}

mcp_status mcp_cache_set(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value) {
	if (!mcp_cache_fits(cache, key, value)) {
		return MCP_TOO_LARGE;
	}
	if (!value->tags_are_guessed) {
		return set_plain(cache, key, value);
	}
	mcp_cache_value known = *value;
	mcp_captured_tags captured;
	uint64_t at_ms;
	mcp_op write;
	mcp_op_begin(&write, MCP_OP_SET, key, NULL);
	mcp_store_begin_change(cache->store, key);
	mcp_status status = write_and_read(cache, &write, &known, &captured, NULL, &at_ms);
	bool is_over = status != MCP_EXISTS && status != MCP_UNSUPPORTED;
	return is_over ? mcp_cache_finish_write(cache, key, status, at_ms)
				   : set_plain(cache, key, &known);
}

/* MCP_NOT_STORED: the value is fresh. MCP_EXISTS: it is to be replaced. */
static mcp_status judge_taken(const mcp_cache *cache, const mcp_cache_entry *entry) {
	if (entry->trouble != MCP_OK) {
		return entry->trouble;
	}
	mcp_cache_count_unreadable(cache, entry);
	return entry->freshness == MCP_FRESH ? MCP_NOT_STORED : MCP_EXISTS;
}

/* Add without a read; read only if the key is taken. */
static mcp_status try_add(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value,
	mcp_cache_entry *entry) {
	mcp_status status = store_over(cache, key, value, entry, 0);
	if (status != MCP_EXISTS) {
		return status;
	}
	mcp_cache_examine(cache, key, entry);
	return judge_taken(cache, entry);
}

/* Longest payload that is read back with its add: an add of a missing key reads its own value. */
#define READ_BACK_MAX 4096

/* Add, and read the stored item, in one round trip. MCP_EXISTS: replace the entry. MCP_UNSUPPORTED: add in another
 * way. */
static mcp_status add_and_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_value *value,
	mcp_captured_tags *captured, mcp_cache_entry *entry) {
	uint64_t at_ms;
	mcp_op write;
	mcp_op_begin(&write, MCP_OP_ADD, key, NULL);
	mcp_status status = write_and_read(cache, &write, value, captured, entry, &at_ms);
	return status == MCP_NOT_STORED || status == MCP_EXISTS ? judge_taken(cache, entry) : status;
}

mcp_status mcp_cache_add(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *given) {
	if (!mcp_cache_fits(cache, key, given)) {
		return MCP_TOO_LARGE;
	}
	mcp_cache_entry entry = {.is_absent = true, .freshness = MCP_COLD};
	mcp_contention contention = {0};
	mcp_cache_value value = *given;
	mcp_captured_tags captured;
	mcp_store_begin_change(cache->store, key);
	bool is_short = value.payload.length <= READ_BACK_MAX;
	mcp_status status =
		is_short ? add_and_read(cache, key, &value, &captured, &entry) : MCP_UNSUPPORTED;
	if (!is_short && value.tags_are_guessed) {
		status = mcp_cache_capture_now(cache, key, &captured);
		value.tags = mcp_captured_tags_view(&captured);
		status = status == MCP_OK ? MCP_UNSUPPORTED : status;
	}
	while (status == MCP_UNSUPPORTED || mcp_cache_may_try_at_once(&contention, status)) {
		status = try_add(cache, key, &value, &entry);
	}
	return finish_tries(cache, key, status);
}

static mcp_status try_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value) {
	mcp_cache_entry entry;
	mcp_cache_examine(cache, key, &entry);
	mcp_cache_hide_stale(cache, &entry);
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	if (!entry.has_value) {
		mcp_cache_count_unreadable(cache, &entry);
		return MCP_NOT_STORED;
	}
	mcp_cache_value kept = *value;
	kept.lifetime = mcp_cache_lifetime_over(value->lifetime, &entry);
	return store_over(cache, key, &kept, &entry, 0);
}

mcp_status mcp_cache_replace(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value) {
	if (!mcp_cache_fits(cache, key, value)) {
		return MCP_TOO_LARGE;
	}
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_replace(cache, key, value);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return finish_tries(cache, key, status);
}

/* Count the outcome of a delete. A missing key counts as deleted. */
static mcp_status finish_delete(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	mcp_cache_count_errors(cache, key, status);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

mcp_status mcp_cache_forget(const mcp_cache *cache, const mcp_key *key, bool *was_there) {
	mcp_store_begin_change(cache->store, key);
	mcp_status status = mcp_store_delete(cache->store, key);
	*was_there = status == MCP_OK;
	return finish_delete(cache, key, status);
}

mcp_status mcp_cache_delete(const mcp_cache *cache, const mcp_key *key) {
	bool was_there;
	return mcp_cache_forget(cache, key, &was_there);
}

/* The new expiry of the value. */
static mcp_envelope limits_of(const mcp_cache *cache, const mcp_key *key, mcp_lifetime lifetime,
	const mcp_cache_entry *entry) {
	return mcp_cache_new_envelope(cache, key, mcp_wall_ms(cache->environment),
		mcp_cache_lifetime_within(cache, mcp_cache_lifetime_over(lifetime, entry), entry));
}

/* Whether the side key would expire before its envelope, which must not happen. Its lifetime is set when it
 * is created. For a longer lifetime, the number moves into the envelope. */
static bool outlives_number(const mcp_cache_entry *entry, const mcp_envelope *limits) {
	return entry->envelope.has_counter && limits->hard_ms > entry->envelope.hard_ms;
}

static mcp_status try_touch(const mcp_cache *cache, const mcp_key *key, mcp_lifetime lifetime) {
	mcp_cache_entry entry;
	mcp_cache_examine(cache, key, &entry);
	mcp_cache_hide_stale(cache, &entry);
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	if (!entry.has_value) {
		mcp_cache_count_unreadable(cache, &entry);
		return MCP_NOT_FOUND;
	}
	mcp_envelope limits = limits_of(cache, key, lifetime, &entry);
	if (outlives_number(&entry, &limits)) {
		mcp_status status = freeze_number(cache, key, &entry);
		if (status != MCP_OK) {
			return status;
		}
		fold_number(&entry);
		limits = limits_of(cache, key, lifetime, &entry);
	}
	mcp_envelope envelope = entry.envelope;
	if (entry.is_suspect) {
		mcp_cache_set_ends(&envelope, envelope.soft_ms, mcp_envelope_grace_ms(&limits));
	} else {
		uint64_t cap_ms = mcp_cache_cap_of(cache, &entry);
		envelope.soft_ms = limits.soft_ms;
		envelope.hard_ms = limits.hard_ms;
		envelope.grace_ms = limits.grace_ms;
		if (cap_ms != 0) {
			mcp_cache_cap(&envelope, cap_ms);
		}
	}
	return mcp_cache_swap(cache, key, &envelope, &entry);
}

mcp_status mcp_cache_touch(const mcp_cache *cache, const mcp_key *key, mcp_lifetime lifetime) {
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_touch(cache, key, lifetime);
	} while (mcp_cache_may_try_again(cache, &contention, status));
	return mcp_cache_count_change(cache, key, status);
}

/* --- reading, changing and writing without lost updates, and taking a value for one caller --- */

/* Whether a pull also deletes an item that is not a value for its caller. */
static bool is_to_be_emptied(const mcp_cache *cache, const mcp_cache_entry *entry) {
	return cache->is_guarded ? !entry->is_absent : mcp_cache_is_marker(entry);
}

static mcp_status try_pull(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_examine(cache, key, entry);
	mcp_cache_hide_stale(cache, entry);
	mcp_status status = entry->trouble;
	if (entry->has_value && entry->envelope.has_counter) {
		status = freeze_number(cache, key, entry);
	}
	if (status != MCP_OK) {
		return status;
	}
	if (!entry->has_value) {
		mcp_cache_count_unreadable(cache, entry);
	}
	if (!entry->has_value && !is_to_be_emptied(cache, entry)) {
		return MCP_NOT_FOUND;
	}
	return mcp_store_delete_if(cache->store, key, entry->cas);
}

mcp_status mcp_cache_pull(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_contention contention = {0};
	mcp_status status;
	mcp_store_begin_change(cache->store, key);
	do {
		status = try_pull(cache, key, entry);
	} while (mcp_cache_may_try_at_once(&contention, status));
	return mcp_cache_count_change(cache, key, status);
}

void mcp_cache_read_still(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_examine(cache, key, entry);
	mcp_cache_hide_stale(cache, entry);
	if (entry->has_value && entry->envelope.has_counter) {
		mcp_status status = freeze_number(cache, key, entry);
		if (mcp_status_is_failure(status)) {
			*entry = (mcp_cache_entry){.freshness = MCP_COLD, .trouble = status};
		}
	}
	mcp_cache_count(cache, key, entry);
}

mcp_cache_seen mcp_cache_see(const mcp_cache_entry *entry) {
	mcp_cache_seen seen = {
		.is_absent = entry->is_absent,
		.has_value = entry->has_value,
		.envelope = entry->envelope,
	};
	if (!entry->has_value) {
		return seen;
	}
	seen.is_still = entry->running == MCP_RUNNING_FROZEN;
	seen.is_integer = mcp_value_flags_are_integer(entry->flags) &&
		mcp_decimal_parse_i64(entry->payload, &seen.integer);
	return seen;
}

/* Epoch and election identify a value. */
static bool is_value_seen(const mcp_cache_entry *entry, const mcp_cache_seen *seen) {
	if (!entry->has_value || !seen->has_value) {
		return entry->has_value == seen->has_value;
	}
	return entry->envelope.epoch == seen->envelope.epoch &&
		entry->envelope.value_election == seen->envelope.value_election;
}

/* Also compare the number, which might have changed under the same epoch and election. */
static bool is_as_seen(const mcp_cache_entry *entry, const mcp_cache_seen *seen) {
	mcp_cache_seen now = mcp_cache_see(entry);
	return is_value_seen(entry, seen) && now.is_integer == seen->is_integer &&
		now.integer == seen->integer;
}

/* Read the value again and freeze its number. MCP_EXISTS if the value has changed. A number that was frozen when
 * it was read is nearly always still frozen, and needs no new mark. */
static mcp_status see_again(const mcp_cache *cache, const mcp_key *key, const mcp_cache_seen *seen,
	mcp_cache_entry *entry) {
	if (seen->is_still) {
		mcp_cache_observe(cache, key, entry);
	} else {
		mcp_cache_examine(cache, key, entry);
	}
	mcp_cache_hide_stale(cache, entry);
	mcp_status status = entry->trouble;
	if (status == MCP_OK && !is_value_seen(entry, seen)) {
		status = MCP_EXISTS;
	}
	if (status == MCP_OK && entry->has_value && entry->envelope.has_counter) {
		status = freeze_number(cache, key, entry);
	}
	/* The freeze has read the value again. */
	return status == MCP_OK && !is_as_seen(entry, seen) ? MCP_EXISTS : status;
}

/* Store over the entry that the value was computed from. */
static mcp_status store_changed(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, const mcp_cache_entry *entry, uint64_t connection) {
	mcp_cache_value kept = *value;
	kept.lifetime = mcp_cache_lifetime_over(value->lifetime, entry);
	if (value->signer > 0) {
		kept.lifetime = mcp_cache_lifetime_within(cache, kept.lifetime, entry);
	}
	kept.cap_ms = mcp_cache_cap_of(cache, entry);
	return store_over(cache, key, &kept, entry, connection);
}

/* Store over the item by its proof. MCP_UNSUPPORTED: there is no proof, or the value has expired since: read it
 * again. */
static mcp_status store_proven(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_seen *seen, const mcp_cache_value *value) {
	const mcp_envelope *envelope = &seen->envelope;
	uint64_t end_ms = cache->is_strict ? envelope->soft_ms : envelope->hard_ms;
	bool is_known = seen->proof.connection != 0 && (seen->is_absent || seen->proof.cas != 0);
	if (!is_known ||
		(seen->has_value && mcp_end_is_reached(end_ms, mcp_wall_ms(cache->environment)))) {
		return MCP_UNSUPPORTED;
	}
	mcp_cache_entry entry = {
		.is_absent = seen->is_absent,
		.has_value = seen->has_value,
		.freshness = MCP_FRESH, /* only relevant in a strict cache */
		.cas = seen->proof.cas,
		.envelope = *envelope,
	};
	return store_changed(cache, key, value, &entry, seen->proof.connection);
}

mcp_status mcp_cache_update(const mcp_cache *cache, const mcp_key *key, const mcp_cache_seen *seen,
	const mcp_cache_value *value) {
	if (!mcp_cache_fits(cache, key, value)) {
		return MCP_TOO_LARGE;
	}
	mcp_store_begin_change(cache->store, key);
	mcp_status status = store_proven(cache, key, seen, value);
	if (status == MCP_UNSUPPORTED || status == MCP_EXISTS) { /* possibly only an election */
		/* Do not use the CAS value of the first read without its connection, because CAS values start again when a
		 * server restarts, and the caller's computation can have taken long. */
		mcp_cache_entry entry;
		status = see_again(cache, key, seen, &entry);
		if (status == MCP_OK) {
			status = store_changed(cache, key, value, &entry, 0);
		}
	}
	mcp_cache_tally_stored(cache, key, status);
	mcp_cache_count_errors(cache, key, status);
	return status;
}

void mcp_cache_delete_many(const mcp_cache *cache, const mcp_key *keys, size_t count,
	mcp_status *statuses) {
	if (mcp_store_sees_each_change(cache->store)) {
		for (size_t i = 0; i < count; i++) {
			statuses[i] = mcp_cache_delete(cache, &keys[i]);
		}
		return;
	}
	mcp_store_delete_many(cache->store, keys, count, statuses);
	for (size_t i = 0; i < count; i++) {
		statuses[i] = finish_delete(cache, &keys[i], statuses[i]);
	}
}
