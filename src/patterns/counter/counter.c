/* Counts with memcached's arithmetic, and hides its peculiarities: the wrap at 2^64, the padding after a decrement,
 * and numbers that exceed PHP's integers. */
/* SPDX-License-Identifier: MIT */
#include "counter.h"

#include "../../core/bytes.h"
#include "../lock/lock.h"

/* Maximum number of rounds. Each further round means that the number was created or disappeared in between. */
#define ROUNDS_MAX 16

/* Return the amount to add or subtract. For INT64_MIN, it is INT64_MAX, which has the same effect, because a
 * decrement stops at 0. */
static uint64_t amount_of(int64_t by) {
	if (by >= 0) {
		return (uint64_t)by;
	}
	return by < -INT64_MAX ? INT64_MAX : (uint64_t)-by;
}

/* Whether the number was between 0 and INT64_MAX before and after the change. After a wrap, the number is less than
 * the amount that was added. */
static bool is_in_range(int64_t by, uint64_t amount, uint64_t reached) {
	if (by >= 0) {
		return reached <= INT64_MAX && reached >= amount;
	}
	return reached <= INT64_MAX - amount;
}

/* Undo a change (K3). A change is accepted if the stored number was between 0 and INT64_MAX before and after it. Any
 * other change is undone with an addition modulo 2^64. Additions commute and never stop at 0, and a decrement that is
 * undone has not stopped at 0 either. Whatever the order, the refused changes therefore have no effect in the end:
 * the number is the first number plus the accepted changes, modulo 2^64. Until then, the stored number includes
 * changes that will be undone, so other changes can be refused needlessly. A change can be accepted wrongly only if
 * the number looks valid although undos are pending. This requires that the pending undos amount to 2^63 or more,
 * such as two of INT64_MAX at once, but never the small steps of fewer than 1,000 processes. Or some of them add and
 * some subtract, both beyond INT64_MAX at once. The sum stays correct then, but the returned number is wrong by this
 * amount, and a decrement stops at 0 early or late. The number can also end beyond INT64_MAX. It is then refused
 * until it is set or reset. If the number is set, or reset and created again, before the undo, the undo is applied to
 * the new number. */
static mcp_status undo(const mcp_counter *counter, int64_t by, uint64_t amount) {
	uint64_t ignored;
	mcp_status status =
		mcp_store_increment(counter->store, counter->key, by < 0 ? amount : 0 - amount, &ignored);
	return mcp_status_is_failure(status) ? MCP_UNKNOWN : MCP_OUT_OF_RANGE;
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

mcp_status mcp_counter_add(const mcp_counter *counter, int64_t by, int64_t *number) {
	uint64_t amount = amount_of(by);
	uint64_t reached = 0;
	mcp_status status = by < 0
		? mcp_store_decrement(counter->store, counter->key, amount, &reached)
		: mcp_store_increment(counter->store, counter->key, amount, &reached);
	return status == MCP_OK ? mcp_counter_accept(counter, by, reached, number) : status;
}

/* Make the record of a number. It points to `digits`. */
static mcp_record number_record(const mcp_counter *counter, int64_t number,
	char digits[MCP_DECIMAL_MAX_LENGTH]) {
	return (mcp_record){
		.body = mcp_bytes_of(digits, mcp_decimal_format_i64(number, digits)),
		.ttl_ms = counter->ttl_ms,
	};
}

mcp_status mcp_counter_create(const mcp_counter *counter, int64_t initial, int64_t by,
	int64_t *number) {
	int64_t first;
	if (!mcp_decimal_add(initial, by, &first)) {
		return MCP_OUT_OF_RANGE;
	}
	first = first > 0 ? first : 0;
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record = number_record(counter, first, digits);
	mcp_status status = mcp_store_add(counter->store, counter->key, &record);
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
		status = mcp_counter_create(counter, initial, by, number);
		if (status != MCP_NOT_STORED) {
			return status;
		}
	}
	return MCP_REFUSED;
}

/* Parse the number of an item. MCP_OK, MCP_NOT_A_NUMBER or MCP_OUT_OF_RANGE. */
static mcp_status parse(const mcp_item *item, int64_t *number) {
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

mcp_status mcp_counter_read(const mcp_counter *counter, int64_t *number) {
	mcp_item item;
	mcp_status status = mcp_store_get(counter->store, counter->key, &item);
	return status == MCP_OK ? parse(&item, number) : status;
}

mcp_status mcp_counter_set(const mcp_counter *counter, int64_t number) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record = number_record(counter, number, digits);
	return mcp_store_set(counter->store, counter->key, &record);
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

/* --- guards for two exclusive tasks on a counter: to compute its initial number, and to drain it --- */

/* A guard is a lock with a short TTL, which expires if its holder crashes. */

/* Minimum TTL of the guard for an initial number, longer than its computation usually takes. If callers wait longer
 * than this, the guard lasts as long as their wait. */
#define INITIAL_TTL_MIN_MS 10000
/* TTL of the guard of a drain. If the drain crashes, the guard can be taken over MCP_LOCK_SKEW_MS after this TTL,
 * which is 2 s after it was acquired. If clocks differ by less than 0.5 s, this is within the default wait of the
 * next drain. */
#define DRAIN_TTL_MS 1000

/* No Lock has the same key: the mapped key of a Lock has a hash under MCP_SPACE_LOCK, and a plain key has no "~#". */
mcp_key mcp_counter_guard_key(mcp_key_buffer *buffer, const mcp_key *counter,
	mcp_counter_duty duty) {
	size_t prefix_length = counter->wire.length - counter->route.length;
	size_t length = counter->route.length;
	size_t readable = length < MCP_KEY_READABLE_MAX ? length : MCP_KEY_READABLE_MAX;
	const char *scope = duty == MCP_COUNTER_DUTY_DRAIN ? "drain:" : "initial:";

	char *end = mcp_words_copy(buffer->bytes, counter->wire.data, prefix_length);
	end = mcp_words_copy(end, "lock:", strlen("lock:"));
	end = mcp_words_copy(end, counter->route.data, readable);
	end = mcp_words_copy(end, MCP_KEY_MARK, strlen(MCP_KEY_MARK));
	mcp_key_hash_hex(end, MCP_SPACE_COUNTER, mcp_bytes_text(scope), counter->route);
	end += MCP_KEY_HASH_LENGTH;
	*end = '\0';
	return (mcp_key){
		.wire = mcp_bytes_of(buffer->bytes, (size_t)(end - buffer->bytes)),
		.route = counter->route,
		.fingerprint = counter->fingerprint,
	};
}

static void choose_owner(const mcp_environment *environment, char owner[MCP_COUNTER_OWNER_LENGTH]) {
	for (size_t i = 0; i < MCP_COUNTER_OWNER_LENGTH; i += MCP_HEX_U64_LENGTH) {
		mcp_hex_write_u64(mcp_random_u64(environment), owner + i);
	}
}

/* Make the lock of a guard, without its key. */
static mcp_lock lock_of(const mcp_counter *counter, char owner[MCP_COUNTER_OWNER_LENGTH]) {
	return (mcp_lock){
		.store = counter->store,
		.environment = counter->environment,
		.owner = mcp_bytes_of(owner, MCP_COUNTER_OWNER_LENGTH),
		.ttl_ms = DRAIN_TTL_MS,
		.skew_ms = MCP_LOCK_SKEW_MS,
	};
}

/* A guard's key and lock. Do not copy this struct, because the lock points to the key. */
typedef struct guard {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_lock lock;
} guard;

static void make_guard(guard *made, const mcp_counter *counter, mcp_counter_claim *claim,
	mcp_counter_duty duty) {
	uint64_t initial_ms =
		counter->wait_ms > INITIAL_TTL_MIN_MS ? counter->wait_ms : INITIAL_TTL_MIN_MS;
	made->key = mcp_counter_guard_key(&made->buffer, counter->key, duty);
	made->lock = lock_of(counter, claim->owner);
	made->lock.key = &made->key;
	made->lock.ttl_ms = duty == MCP_COUNTER_DUTY_DRAIN ? DRAIN_TTL_MS : initial_ms;
}

/* Begin an empty claim with a new owner, and make its guard. */
static void begin_claim(guard *made, const mcp_counter *counter, mcp_counter_claim *claim,
	mcp_counter_duty duty) {
	*claim = (mcp_counter_claim){0};
	choose_owner(counter->environment, claim->owner);
	make_guard(made, counter, claim, duty);
}

/* Read the counter. MCP_EXISTS if there is a number, or an item that is not a number, which the next count
 * reports. */
static mcp_status look_for_number(const mcp_counter *counter) {
	mcp_item item;
	mcp_status status = mcp_store_get(counter->store, counter->key, &item);
	return status == MCP_OK ? MCP_EXISTS : status;
}

/* Read again under the guard, because its last holder might have created the number since the read. */
static mcp_status look_under_guard(const mcp_counter *counter, const guard *held,
	mcp_counter_claim *claim) {
	mcp_status status = look_for_number(counter);
	if (status == MCP_NOT_FOUND) {
		return MCP_OK;
	}
	mcp_lock_release(&held->lock, &claim->hold);
	return status;
}

/* Try to get the claim. MCP_NOT_STORED if another process is computing the number. */
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
	guard wanted;
	begin_claim(&wanted, counter, claim, MCP_COUNTER_DUTY_INITIAL);

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

/* Take the number under the guard. MCP_NOT_STORED: nothing was taken, because the guard would expire first if the
 * decrement took as long as the read. */
static mcp_status take_number_of(const mcp_counter *counter, const mcp_lock *lock,
	const mcp_hold *hold, int64_t *taken) {
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
		return MCP_NO_CAS; /* the guard can then not be released */
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

/* Return the status of a drain after its guard has been released. If the guard was no longer ours, another drain
 * might have taken the same amount, because memcached stops at 0. If the release failed, the deadline of our hold
 * decides. */
static mcp_status doubt(mcp_status status, int64_t taken, bool was_held, mcp_status released) {
	bool is_certain = released == MCP_OK || (was_held && released != MCP_NOT_FOUND);
	return status == MCP_OK && taken > 0 && !is_certain ? MCP_UNKNOWN : status;
}

mcp_status mcp_counter_drain(const mcp_counter *counter, int64_t *taken) {
	*taken = 0;
	mcp_counter_claim claim;
	guard drain;
	begin_claim(&drain, counter, &claim, MCP_COUNTER_DUTY_DRAIN);

	mcp_pauses own = {.has_begun = false};
	drain.lock.pauses = counter->pauses != NULL ? counter->pauses : &own;
	mcp_status status;
	do {
		status = mcp_lock_acquire(&drain.lock, &claim.hold, counter->wait_ms);
		if (status != MCP_OK) {
			return status;
		}
		status = take_number_of(counter, &drain.lock, &claim.hold, taken);
		bool was_held = mcp_lock_is_held(&drain.lock, &claim.hold);
		status = doubt(status, *taken, was_held, mcp_lock_release(&drain.lock, &claim.hold));
	} while (status == MCP_NOT_STORED &&
		mcp_pauses_waited_ms(drain.lock.pauses, mcp_monotonic_ms(counter->environment)) <
			counter->wait_ms);
	return status;
}

/* --- drains of many counters in 4 batches: acquire guards, read guards and numbers, subtract, release guards --- */

/* The read returns the guards before the numbers, so that each number is read while its guard is held. Only a guard
 * that has not changed since is deleted. */

/* Size of the first round, when the pace of the servers is unknown. It is small enough for any transport. */
#define FIRST_PACE 100

/* State of a counter during a drain. */
typedef struct mcp_counter_entry {
	mcp_counter_one *one;
	mcp_key_buffer buffer; /* buffer for the guard's key */
	bool is_tried;         /* the guard might be ours */
	bool is_ours;          /* the guard was ours when it was read */
	bool is_left_behind;   /* the guard belongs to another drain, and can be taken over */
	uint64_t cas;          /* CAS value of the guard, as read last */
	int64_t number;
} mcp_counter_entry;

/* Memory for one counter. */
typedef struct share {
	mcp_counter_entry entry;
	mcp_op guard, write;
	mcp_key guard_key;
	mcp_key keys[2];
	mcp_op replies[2];
	size_t place;
} share;

size_t mcp_counter_scratch_size(size_t count) {
	return count * sizeof(share);
}

/* Take the next array of `count` elements from the memory. */
static void *cut(char **memory, size_t count, size_t size) {
	void *array = *memory;
	*memory += count * size;
	return array;
}

mcp_counter_scratch mcp_counter_scratch_in(void *memory, size_t count) {
	char *rest = memory;
	mcp_counter_scratch scratch = {.pace = 0};
	scratch.entries = cut(&rest, count, sizeof(*scratch.entries));
	scratch.guards = cut(&rest, count, sizeof(*scratch.guards));
	scratch.guard_keys = cut(&rest, count, sizeof(*scratch.guard_keys));
	scratch.writes = cut(&rest, count, sizeof(*scratch.writes));
	scratch.keys = cut(&rest, 2 * count, sizeof(*scratch.keys));
	scratch.replies = cut(&rest, 2 * count, sizeof(*scratch.replies));
	scratch.places = cut(&rest, count, sizeof(*scratch.places));
	return scratch;
}

/* The counters of one round. */
typedef struct round {
	const mcp_counter *counter;
	mcp_counter_scratch *scratch;
	size_t count; /* number of entries */
	mcp_lock lock;
	char owner[MCP_COUNTER_OWNER_LENGTH];
	mcp_hold hold; /* hold for all our guards */
	uint64_t began_ms;
	/* a request has failed since the guards were read, so their CAS values might belong to a lost connection */
	bool has_failed;
} round;

static void begin_round(round *new, const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_scratch *scratch) {
	*new = (round){.counter = counter, .scratch = scratch, .count = count};
	choose_owner(counter->environment, new->owner);
	new->lock = lock_of(counter, new->owner);
	for (size_t i = 0; i < count; i++) {
		mcp_counter_entry *entry = &scratch->entries[i];
		ones[i].status = MCP_NOT_STORED;
		ones[i].taken = 0;
		entry->one = &ones[i];
		entry->is_tried = entry->is_ours = entry->is_left_behind = false;
		scratch->guard_keys[i] =
			mcp_counter_guard_key(&entry->buffer, &ones[i].key, MCP_COUNTER_DUTY_DRAIN);
		scratch->guards[i] = (mcp_op){.key = &scratch->guard_keys[i]};
	}
}

/* Try all guards. A write that was not answered might have stored our guard, and the read decides. */
static void try_guards(round *now) {
	now->began_ms = mcp_monotonic_ms(now->counter->environment);
	mcp_lock_try_many(&now->lock, &now->hold, now->scratch->guards, now->count);
	for (size_t i = 0; i < now->count; i++) {
		mcp_counter_entry *entry = &now->scratch->entries[i];
		mcp_status status = now->scratch->guards[i].status;
		entry->is_tried = status == MCP_OK || status == MCP_UNKNOWN;
		entry->one->status = entry->is_tried ? MCP_NOT_STORED : status;
	}
}

/* --- reading --- */

static void judge_guard(round *now, mcp_counter_entry *entry, const mcp_op *reply) {
	mcp_status status = mcp_lock_judge(&now->lock, &now->hold, reply);
	entry->is_ours = status == MCP_OK;
	entry->is_left_behind = status == MCP_EXISTS && !entry->is_tried;
	if (status == MCP_OK) {
		entry->cas = reply->item.cas;
	} else if (mcp_status_is_failure(status)) {
		entry->one->status = status;
		now->has_failed = true;
	}
}

/* Check the number that was read. The result of the drain is already known if the number is invalid or missing, or if
 * the guard cannot be released. */
static void judge_number(mcp_counter_entry *entry, const mcp_op *reply) {
	mcp_status status = reply->status;
	entry->number = 0;
	if (!entry->is_ours) {
		return;
	}
	if (status == MCP_OK) {
		status = parse(&reply->item, &entry->number);
	} else if (status == MCP_NOT_FOUND) {
		status = MCP_OK;
	}
	if (entry->cas == 0) {
		entry->is_ours = false; /* our guard cannot be released */
		status = MCP_NO_CAS;
	}
	entry->one->status = status;
}

/* Read the guards first, because a number that follows our guard in the reply was read under the guard. */
static void read_guarded(round *now) {
	mcp_counter_scratch *scratch = now->scratch;
	size_t guards = 0, all;
	for (size_t i = 0; i < now->count; i++) {
		const mcp_counter_entry *entry = &scratch->entries[i];
		if (entry->is_tried || entry->one->status == MCP_NOT_STORED) {
			scratch->places[guards] = i;
			scratch->keys[guards++] = scratch->guard_keys[i];
		}
	}
	all = guards;
	for (size_t i = 0; i < guards; i++) {
		const mcp_counter_entry *entry = &scratch->entries[scratch->places[i]];
		if (entry->is_tried) {
			scratch->keys[all++] = entry->one->key;
		}
	}
	mcp_store_get_many(now->counter->store, scratch->keys, all, scratch->replies);
	size_t next = guards;
	for (size_t i = 0; i < guards; i++) {
		mcp_counter_entry *entry = &scratch->entries[scratch->places[i]];
		judge_guard(now, entry, &scratch->replies[i]);
		if (entry->is_tried) {
			judge_number(entry, &scratch->replies[next++]);
			now->has_failed |= mcp_status_is_failure(entry->one->status);
		}
	}
}

/* --- taking --- */

static mcp_counter alone_of(const mcp_counter *counter, const mcp_counter_one *one) {
	mcp_counter alone = *counter;
	alone.key = &one->key;
	return alone;
}

/* Evaluate the reply to the decrement. A missing counter was evicted after the read, so nothing was taken. */
static void conclude_taking(round *now, mcp_counter_entry *entry, const mcp_op *answered) {
	mcp_counter_one *one = entry->one;
	mcp_counter counter = alone_of(now->counter, one);
	int64_t rest;
	mcp_status status = answered->status;
	if (status == MCP_OK) {
		status = mcp_counter_accept(&counter, -entry->number, answered->number, &rest);
	} else if (status == MCP_NOT_FOUND) {
		entry->number = 0;
		status = MCP_OK;
	}
	one->status = status;
	one->taken = status == MCP_OK || status == MCP_UNKNOWN ? entry->number : 0;
	now->has_failed |= mcp_status_is_failure(status);
}

static void take_all(round *now) {
	mcp_counter_scratch *scratch = now->scratch;
	size_t count = 0;
	for (size_t i = 0; i < now->count; i++) {
		const mcp_counter_entry *entry = &scratch->entries[i];
		if (entry->is_ours && entry->one->status == MCP_OK && entry->number > 0) {
			scratch->places[count] = i;
			scratch->writes[count++] = (mcp_op){
				.verb = MCP_OP_DECREMENT,
				.key = &entry->one->key,
				.by = (uint64_t)entry->number,
			};
		}
	}
	mcp_store_run_all(now->counter->store, scratch->writes, count);
	for (size_t i = 0; i < count; i++) {
		conclude_taking(now, &scratch->entries[scratch->places[i]], &scratch->writes[i]);
	}
}

/* --- releasing the guards --- */

/* Read the CAS values of the guards again, because the previous values are invalid on a new connection. */
static void look_again(round *now) {
	mcp_counter_scratch *scratch = now->scratch;
	size_t count = 0;
	for (size_t i = 0; i < now->count; i++) {
		if (scratch->entries[i].is_tried) {
			mcp_store_bypass_breaker(now->counter->store, &scratch->guard_keys[i],
				MCP_BYPASS_TO_RELEASE);
			scratch->places[count] = i;
			scratch->keys[count++] = scratch->guard_keys[i];
		}
	}
	mcp_store_get_many(now->counter->store, scratch->keys, count, scratch->replies);
	for (size_t i = 0; i < count; i++) {
		const mcp_op *reply = &scratch->replies[i];
		mcp_counter_entry *entry = &scratch->entries[scratch->places[i]];
		bool is_ours = mcp_lock_judge(&now->lock, &now->hold, reply) == MCP_OK;
		entry->cas = is_ours ? reply->item.cas : 0;
		entry->is_ours |= is_ours && reply->item.cas != 0;
	}
}

/* Release the guards with a known CAS value. The other guards are resolved one by one. */
static void release_known(round *now) {
	mcp_counter_scratch *scratch = now->scratch;
	size_t count = 0;
	for (size_t i = 0; i < now->count; i++) {
		const mcp_counter_entry *entry = &scratch->entries[i];
		scratch->guards[i].status = MCP_EXISTS;
		if (entry->is_ours && entry->cas != 0) {
			scratch->places[count] = i;
			scratch->writes[count++] =
				(mcp_op){.key = &scratch->guard_keys[i], .expects.cas = entry->cas};
		}
	}
	mcp_lock_release_many(&now->lock, scratch->writes, count);
	for (size_t i = 0; i < count; i++) {
		scratch->guards[scratch->places[i]].status = scratch->writes[i].status;
	}
}

static void release_guards(round *now) {
	bool was_held = mcp_lock_is_held(&now->lock, &now->hold);
	if (now->has_failed) {
		look_again(now);
	}
	release_known(now);
	for (size_t i = 0; i < now->count; i++) {
		const mcp_counter_entry *entry = &now->scratch->entries[i];
		const mcp_op *sent = &now->scratch->guards[i];
		if (entry->is_ours) {
			mcp_status released = sent->status != MCP_EXISTS
				? sent->status
				: mcp_lock_release_one(&now->lock, &now->hold, sent->key);
			mcp_counter_one *one = entry->one;
			one->status = doubt(one->status, one->taken, was_held, released);
		}
	}
}

/* --- the complete drain --- */

/* Adapt the size of the next round to the time that the last round took. */
static void keep_pace(mcp_counter_scratch *scratch, size_t count, uint64_t took_ms) {
	if (took_ms * 2 >= DRAIN_TTL_MS) {
		scratch->pace = count > 1 ? count / 2 : 1;
	} else if (took_ms * 8 < DRAIN_TTL_MS && count == scratch->pace) {
		scratch->pace = count * 2 < MCP_COUNTER_MANY_MAX ? count * 2 : MCP_COUNTER_MANY_MAX;
	}
}

/* Drain one round. Returns false if a smaller round is needed, because the servers are too slow. Nothing was taken
 * then. */
static bool drain_some(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_scratch *scratch) {
	round now;
	begin_round(&now, counter, ones, count, scratch);
	try_guards(&now);
	read_guarded(&now);
	uint64_t took_ms = mcp_monotonic_ms(counter->environment) - now.began_ms;
	bool is_soon_enough = mcp_lock_remaining_ms(&now.lock, &now.hold) > took_ms;
	size_t left = 0; /* counters that a smaller round might drain */
	if (is_soon_enough) {
		take_all(&now);
	} else {
		/* Do not subtract, because at the measured pace, the guards would expire before the decrement. */
		for (size_t i = 0; i < count; i++) {
			ones[i].status = ones[i].status == MCP_OK ? MCP_NOT_STORED : ones[i].status;
			left += !mcp_status_is_failure(ones[i].status);
		}
	}
	if (is_soon_enough || left > 0) {
		keep_pace(scratch, count, took_ms);
	}
	release_guards(&now);
	bool is_done = left == 0 || count == 1;
	for (size_t i = 0; i < count; i++) {
		if (is_done && scratch->entries[i].is_left_behind) {
			/* Only a drain of a single counter takes over the guard of a crashed drain. */
			mcp_counter alone = alone_of(counter, &ones[i]);
			alone.wait_ms = 0;
			alone.pauses = NULL;
			ones[i].status = mcp_counter_drain(&alone, &ones[i].taken);
		}
	}
	return is_done;
}

void mcp_counter_drain_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_scratch *scratch) {
	scratch->pace = scratch->pace == 0 ? FIRST_PACE : scratch->pace;
	for (size_t done = 0; done < count;) {
		size_t next = count - done < scratch->pace ? count - done : scratch->pace;
		done += drain_some(counter, ones + done, next, scratch) ? next : 0;
	}
}

/* Conclude the restore of an amount. Retry a restore that was not sent, because the amount would otherwise be
 * lost. */
static void conclude_giving_back(const mcp_counter *counter, mcp_counter_one *one,
	const mcp_op *answered) {
	mcp_counter alone = alone_of(counter, one);
	int64_t number;
	one->status = answered->status;
	if (answered->status == MCP_OK) {
		one->status = mcp_counter_accept(&alone, one->taken, answered->number, &number);
	} else if (answered->status == MCP_NOT_FOUND || answered->status == MCP_UNREACHABLE) {
		one->status = mcp_counter_give_back(&alone, 0, one->taken);
	}
}

void mcp_counter_give_back_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_scratch *scratch) {
	for (size_t i = 0; i < count; i++) {
		scratch->writes[i] = (mcp_op){
			.verb = MCP_OP_INCREMENT,
			.key = &ones[i].key,
			.by = (uint64_t)ones[i].taken,
		};
	}
	mcp_store_run_all(counter->store, scratch->writes, count);
	for (size_t i = 0; i < count; i++) {
		conclude_giving_back(counter, &ones[i], &scratch->writes[i]);
	}
}
