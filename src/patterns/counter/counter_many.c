/* Drains many counters in 4 batches: acquires all guards, reads guards and numbers, subtracts the numbers,
 * releases the guards.
 * The read returns the guards before the numbers, so that each number is read while its guard is held. Only
 * guards that are unchanged since are deleted. */
/* SPDX-License-Identifier: MIT */
#include "counter_many.h"

#include "../lock/lock.h"

/* Size of the first round, before the pace of the servers is known: fast enough over any transport. */
#define FIRST_PACE 100

/* Memory per counter. */
typedef struct share {
	mcp_counter_entry entry;
	mcp_op guard, write;
	mcp_key guard_key;
	mcp_key keys[2];
	mcp_op replies[2];
	size_t place;
} share;

size_t mcp_counter_room_size(size_t count) {
	return count * sizeof(share);
}

/* Take the next array from the memory. */
static void *cut(char **memory, size_t count, size_t size) {
	void *array = *memory;
	*memory += count * size;
	return array;
}

mcp_counter_room mcp_counter_room_in(void *memory, size_t count) {
	char *rest = memory;
	mcp_counter_room room = {.pace = 0};
	room.entries = cut(&rest, count, sizeof(*room.entries));
	room.guards = cut(&rest, count, sizeof(*room.guards));
	room.guard_keys = cut(&rest, count, sizeof(*room.guard_keys));
	room.writes = cut(&rest, count, sizeof(*room.writes));
	room.keys = cut(&rest, 2 * count, sizeof(*room.keys));
	room.replies = cut(&rest, 2 * count, sizeof(*room.replies));
	room.places = cut(&rest, count, sizeof(*room.places));
	return room;
}

/* The counters of one round. */
typedef struct round {
	const mcp_counter *counter;
	mcp_counter_room *room;
	size_t count; /* of entries */
	mcp_lock lock;
	char owner[MCP_COUNTER_OWNER_LENGTH];
	mcp_hold hold; /* of all our guards */
	uint64_t began_ms;
	bool has_failed; /* since the guards were read: their CAS values may be of another connection */
} round;

static void begin(round *new, const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_room *room) {
	*new = (round){.counter = counter, .room = room, .count = count};
	mcp_counter_choose_owner(counter->environment, new->owner);
	new->lock = (mcp_lock){
		.store = counter->store,
		.environment = counter->environment,
		.owner = mcp_bytes_of(new->owner, MCP_COUNTER_OWNER_LENGTH),
		.ttl_ms = MCP_COUNTER_DRAIN_TTL_MS,
		.skew_ms = MCP_LOCK_SKEW_MS,
	};
	for (size_t i = 0; i < count; i++) {
		mcp_counter_entry *entry = &room->entries[i];
		ones[i].status = MCP_NOT_STORED;
		ones[i].taken = 0;
		entry->one = &ones[i];
		entry->is_tried = entry->is_ours = entry->is_left_behind = false;
		room->guard_keys[i] =
			mcp_counter_guard_key(&entry->buffer, &ones[i].key, MCP_COUNTER_DUTY_DRAIN);
		room->guards[i] = (mcp_op){.key = &room->guard_keys[i]};
	}
}

/* Try all guards. A write without a reply may have stored ours: the read decides. */
static void try_guards(round *now) {
	now->began_ms = mcp_monotonic_ms(now->counter->environment);
	mcp_lock_try_many(&now->lock, &now->hold, now->room->guards, now->count);
	for (size_t i = 0; i < now->count; i++) {
		mcp_counter_entry *entry = &now->room->entries[i];
		mcp_status status = now->room->guards[i].status;
		entry->is_tried = status == MCP_OK || status == MCP_UNKNOWN;
		entry->one->status = entry->is_tried ? MCP_NOT_STORED : status;
	}
}

/* --- reading --- */

static bool is_to_be_looked_at(const mcp_counter_entry *entry) {
	return entry->is_tried || entry->one->status == MCP_NOT_STORED;
}

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

/* Judge the number. If it is invalid or missing, that is the result. Also if the server could not release
 * the guard. */
static void judge_number(mcp_counter_entry *entry, const mcp_op *reply) {
	mcp_status status = reply->status;
	entry->number = 0;
	if (!entry->is_ours) {
		return;
	}
	if (status == MCP_OK) {
		status = mcp_counter_parse(&reply->item, &entry->number);
	} else if (status == MCP_NOT_FOUND) {
		status = MCP_OK;
	}
	if (entry->cas == 0) {
		entry->is_ours = false; /* it cannot be released */
		status = MCP_NO_CAS;
	}
	entry->one->status = status;
}

/* Read the guards first: a number that follows our guard in the reply was read under it. */
static void look(round *now) {
	mcp_counter_room *room = now->room;
	size_t guards = 0, all;
	for (size_t i = 0; i < now->count; i++) {
		if (is_to_be_looked_at(&room->entries[i])) {
			room->places[guards] = i;
			room->keys[guards++] = room->guard_keys[i];
		}
	}
	all = guards;
	for (size_t i = 0; i < guards; i++) {
		const mcp_counter_entry *entry = &room->entries[room->places[i]];
		if (entry->is_tried) {
			room->keys[all++] = entry->one->key;
		}
	}
	mcp_store_get_many(now->counter->store, room->keys, all, room->replies);
	size_t next = guards;
	for (size_t i = 0; i < guards; i++) {
		mcp_counter_entry *entry = &room->entries[room->places[i]];
		judge_guard(now, entry, &room->replies[i]);
		if (entry->is_tried) {
			judge_number(entry, &room->replies[next++]);
			now->has_failed |= mcp_status_is_failure(entry->one->status);
		}
	}
}

/* --- taking --- */

static bool is_to_be_taken(const mcp_counter_entry *entry) {
	return entry->is_ours && entry->one->status == MCP_OK && entry->number > 0;
}

/* Judge the reply to the decrement. A missing counter was evicted after the read: nothing was taken. */
static void conclude_taking(round *now, mcp_counter_entry *entry, const mcp_op *answered) {
	mcp_counter_one *one = entry->one;
	mcp_counter counter = *now->counter;
	int64_t rest;
	mcp_status status = answered->status;
	counter.key = &one->key;
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

static void take(round *now) {
	mcp_counter_room *room = now->room;
	size_t count = 0;
	for (size_t i = 0; i < now->count; i++) {
		const mcp_counter_entry *entry = &room->entries[i];
		if (is_to_be_taken(entry)) {
			room->places[count] = i;
			room->writes[count++] = (mcp_op){
				.verb = MCP_OP_DECREMENT,
				.key = &entry->one->key,
				.by = (uint64_t)entry->number,
			};
		}
	}
	mcp_store_run_all(now->counter->store, room->writes, count);
	for (size_t i = 0; i < count; i++) {
		conclude_taking(now, &room->entries[room->places[i]], &room->writes[i]);
	}
}

/* --- releasing the guards --- */

/* Read the CAS values of the guards again: with a new connection, the previous ones are meaningless. */
static void look_again(round *now) {
	mcp_counter_room *room = now->room;
	size_t count = 0;
	for (size_t i = 0; i < now->count; i++) {
		if (room->entries[i].is_tried) {
			mcp_store_bypass_breaker(now->counter->store, &room->guard_keys[i],
				MCP_BYPASS_TO_RELEASE);
			room->places[count] = i;
			room->keys[count++] = room->guard_keys[i];
		}
	}
	mcp_store_get_many(now->counter->store, room->keys, count, room->replies);
	for (size_t i = 0; i < count; i++) {
		const mcp_op *reply = &room->replies[i];
		mcp_counter_entry *entry = &room->entries[room->places[i]];
		bool is_ours = mcp_lock_judge(&now->lock, &now->hold, reply) == MCP_OK;
		entry->cas = is_ours ? reply->item.cas : 0;
		entry->is_ours |= is_ours && reply->item.cas != 0;
	}
}

/* If the guard was no longer ours, another drain may have taken the same amount. If the release fails, the
 * own deadline decides. */
static void doubt(mcp_counter_one *one, bool was_held, mcp_status released) {
	bool is_certain = released == MCP_OK || (was_held && released != MCP_NOT_FOUND);
	if (one->status == MCP_OK && one->taken > 0 && !is_certain) {
		one->status = MCP_UNKNOWN;
	}
}

/* Release the guards with a known CAS value. The others are resolved one by one. */
static void release_known(round *now) {
	mcp_counter_room *room = now->room;
	size_t count = 0;
	for (size_t i = 0; i < now->count; i++) {
		const mcp_counter_entry *entry = &room->entries[i];
		room->guards[i].status = MCP_EXISTS;
		if (entry->is_ours && entry->cas != 0) {
			room->places[count] = i;
			room->writes[count++] =
				(mcp_op){.key = &room->guard_keys[i], .expects.cas = entry->cas};
		}
	}
	mcp_lock_release_many(&now->lock, room->writes, count);
	for (size_t i = 0; i < count; i++) {
		room->guards[room->places[i]].status = room->writes[i].status;
	}
}

static void release(round *now) {
	bool was_held = mcp_lock_is_held(&now->lock, &now->hold);
	if (now->has_failed) {
		look_again(now);
	}
	release_known(now);
	for (size_t i = 0; i < now->count; i++) {
		const mcp_counter_entry *entry = &now->room->entries[i];
		const mcp_op *guard = &now->room->guards[i];
		if (entry->is_ours) {
			mcp_status released = guard->status != MCP_EXISTS
				? guard->status
				: mcp_lock_release_one(&now->lock, &now->hold, guard->key);
			doubt(entry->one, was_held, released);
		}
	}
}

/* --- complete drain --- */

/* A single drain takes over the guard of a crashed one. */
static void drain_alone(const mcp_counter *counter, mcp_counter_one *one) {
	mcp_counter alone = *counter;
	alone.key = &one->key;
	alone.wait_ms = 0;
	alone.pauses = NULL;
	one->status = mcp_counter_drain(&alone, &one->taken);
}

static void drain_left_behind(const round *now) {
	for (size_t i = 0; i < now->count; i++) {
		const mcp_counter_entry *entry = &now->room->entries[i];
		if (entry->is_left_behind) {
			drain_alone(now->counter, entry->one);
		}
	}
}

/* Adapt the size of the next round. */
static void keep_pace(mcp_counter_room *room, size_t count, uint64_t took_ms) {
	if (took_ms * 2 >= MCP_COUNTER_DRAIN_TTL_MS) {
		room->pace = count > 1 ? count / 2 : 1;
	} else if (took_ms * 8 < MCP_COUNTER_DRAIN_TTL_MS && count == room->pace) {
		room->pace = count * 2 < MCP_COUNTER_MANY_MAX ? count * 2 : MCP_COUNTER_MANY_MAX;
	}
}

/* Take nothing: at the measured pace, the guards would expire before the decrement. */
static void forgo(round *now) {
	for (size_t i = 0; i < now->count; i++) {
		mcp_counter_one *one = now->room->entries[i].one;
		one->status = one->status == MCP_OK ? MCP_NOT_STORED : one->status;
	}
}

/* Drain one round. Returns false if the servers are too slow for it; then nothing was taken. */
static bool drain_some(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_room *room) {
	round now;
	begin(&now, counter, ones, count, room);
	try_guards(&now);
	look(&now);
	uint64_t took_ms = mcp_monotonic_ms(counter->environment) - now.began_ms;
	bool is_soon_enough = mcp_lock_remaining_ms(&now.lock, &now.hold) > took_ms;
	if (is_soon_enough) {
		take(&now);
	} else {
		forgo(&now);
	}
	keep_pace(room, count, took_ms);
	release(&now);
	drain_left_behind(&now);
	return is_soon_enough;
}

void mcp_counter_drain_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_room *room) {
	room->pace = room->pace == 0 ? FIRST_PACE : room->pace;
	for (size_t done = 0; done < count;) {
		size_t next = count - done < room->pace ? count - done : room->pace;
		if (drain_some(counter, ones + done, next, room) || next == 1) {
			done += next;
		}
	}
}

/* Retry an unsent restore despite the failure: the amount would be lost otherwise. */
static void conclude_giving_back(const mcp_counter *counter, mcp_counter_one *one,
	const mcp_op *answered) {
	mcp_counter alone = *counter;
	int64_t number;
	alone.key = &one->key;
	one->status = answered->status;
	if (answered->status == MCP_OK) {
		one->status = mcp_counter_accept(&alone, one->taken, answered->number, &number);
	} else if (answered->status == MCP_NOT_FOUND || answered->status == MCP_UNREACHABLE) {
		one->status = mcp_counter_give_back(&alone, 0, one->taken);
	}
}

void mcp_counter_give_back_many(const mcp_counter *counter, mcp_counter_one *ones, size_t count,
	mcp_counter_room *room) {
	for (size_t i = 0; i < count; i++) {
		room->writes[i] = (mcp_op){
			.verb = MCP_OP_INCREMENT,
			.key = &ones[i].key,
			.by = (uint64_t)ones[i].taken,
		};
	}
	mcp_store_run_all(counter->store, room->writes, count);
	for (size_t i = 0; i < count; i++) {
		conclude_giving_back(counter, &ones[i], &room->writes[i]);
	}
}
