/* Appends events to the current slot, reads the last ones or those since a cursor, and clears the log. */
/* SPDX-License-Identifier: MIT */
#include "event_log.h"

#include "../../core/items/append_head.h"
#include "../append.h"

/* Makes what a record is signed as: with its time, and standing in this slot. */
static inline mcp_signed_value mcp_event_log_signed(const mcp_key *key, uint32_t flags,
	mcp_bytes content) {
	return (mcp_signed_value){
		.purpose = MCP_SIGNED_EVENT,
		.wire_key = key->wire,
		.flags = flags,
		.payload = content,
	};
}

/* With the second that a window's slots are kept longer for clocks that differ: two. */
#define KEPT_LONGER_MS 1000

size_t mcp_event_log_record_length(const mcp_event_log *log, size_t payload_length) {
	return mcp_log_record_length(payload_length, log->signing_keys != NULL);
}

static void sign(const mcp_event_log *log, const mcp_key *key, uint32_t flags, mcp_bytes content) {
	mcp_signed_value value = mcp_event_log_signed(key, flags, content);
	char *behind = (char *)content.data + content.length;
	mcp_signature_sign(log->signing_keys, &value, (unsigned char *)behind);
}

static mcp_bytes write_record(const mcp_event_log *log, const mcp_key *key, const mcp_event *event,
	uint64_t now_ms, char *memory) {
	mcp_log_record record = {
		.time_ms = now_ms,
		.flags = event->flags,
		.is_signed = log->signing_keys != NULL,
		.payload = event->payload,
	};
	mcp_bytes content = mcp_log_record_write(&record, memory);
	if (record.is_signed) {
		sign(log, key, event->flags, content);
	}
	return mcp_bytes_of(memory, mcp_event_log_record_length(log, event->payload.length));
}

mcp_status mcp_event_log_append(const mcp_event_log *log, const mcp_event *event, char *record) {
	uint64_t now_ms = mcp_wall_ms(log->environment);
	uint64_t slot = mcp_window_slot(&log->window, now_ms);
	uint64_t ttl_ms = mcp_window_slot_ttl_ms(&log->window, slot, now_ms) + KEPT_LONGER_MS;
	mcp_append_head head = {
		.kind = MCP_APPEND_LOG,
		.end_ms = now_ms + ttl_ms,
		.id = mcp_random_u64(log->environment) | 1,
	};
	char head_bytes[MCP_APPEND_HEAD_LENGTH];
	mcp_append_head_write(&head, head_bytes);

	mcp_key_buffer buffer;
	mcp_key key = mcp_event_log_slot_key(log, &buffer, slot);
	const mcp_record to_append = {
		.head = mcp_bytes_of(head_bytes, sizeof(head_bytes)),
		.body = write_record(log, &key, event, now_ms, record),
		.ttl_ms = ttl_ms,
	};
	return mcp_append(log->store, &key, &to_append);
}

/* Clears from the oldest slot to the one that a host whose clock is ahead may have begun. */
mcp_status mcp_event_log_clear(const mcp_event_log *log) {
	uint64_t now_slot = mcp_window_slot(&log->window, mcp_wall_ms(log->environment));
	for (uint64_t slot = mcp_event_log_oldest(log, now_slot); slot <= now_slot + 1; slot++) {
		mcp_key_buffer buffer;
		mcp_key key = mcp_event_log_slot_key(log, &buffer, slot);
		mcp_status status = mcp_store_delete(log->store, &key);
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return status;
		}
	}
	return MCP_OK;
}

/* Reads the slots of an event log, a few in a round trip, and goes through their records. */

/* Puts the newest slot first: an event found there was sent after what its process had been told of before, so
 * that is found in an older slot. Asked the other way round, it might just be missed. */
static size_t place_of(const mcp_event_log_reading *reading, size_t i) {
	return reading->asked - 1 - i;
}

static void name_slots(const mcp_event_log_reading *reading) {
	const mcp_event_log_scratch *scratch = reading->scratch;
	for (size_t i = 0; i < reading->asked; i++) {
		size_t place = place_of(reading, i);
		scratch->keys[place] =
			mcp_event_log_slot_key(reading->log, &scratch->buffers[place], reading->next + i);
	}
}

/* Asks for `count` slots from `oldest` on, in one multi-get: the i-th is slot oldest + i. MCP_OK, or the failure of one
 * of them. */
static mcp_status mcp_event_log_ask(mcp_event_log_reading *reading, uint64_t oldest, size_t count) {
	const mcp_event_log_scratch *scratch = reading->scratch;
	reading->next = oldest;
	reading->asked = count;
	name_slots(reading);
	mcp_store_get_many(reading->log->store, scratch->keys, count, scratch->replies);
	for (size_t i = 0; i < count; i++) {
		mcp_status status = scratch->replies[i].status;
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return status;
		}
	}
	return MCP_OK;
}

/* Enters the item of the i-th slot that was asked for, and reads its number. False if there is none, or it is
 * not a log's. */
static bool mcp_event_log_enter(mcp_event_log_reading *reading, size_t i, uint64_t *id) {
	const mcp_reply *reply = &reading->scratch->replies[place_of(reading, i)];
	mcp_append_head head;
	bool is_log =
		reply->status == MCP_OK && mcp_append_head_read(reply->item.value, MCP_APPEND_LOG, &head);
	reading->is_entered = true;
	reading->item = is_log ? reply->item.value : mcp_bytes_none();
	reading->offset = MCP_APPEND_HEAD_LENGTH;
	*id = is_log ? head.id : 0;
	return is_log;
}

static bool is_believed(const mcp_event_log_reading *reading, size_t i,
	const mcp_log_record *record) {
	const mcp_signing_keys *keys = reading->log->signing_keys;
	if (keys == NULL) {
		return true;
	}
	mcp_signed_value value = mcp_event_log_signed(&reading->scratch->keys[place_of(reading, i)],
		record->flags, record->content);
	return record->is_signed && mcp_signature_verify(keys, &value, record->signature);
}

/* Reads the next event that is believed, from reading->offset on, which goes on behind it. MCP_LOG_DAMAGED: there
 * is no more that can be found. */
static mcp_log_reading mcp_event_log_step(mcp_event_log_reading *reading, size_t i,
	mcp_event *event) {
	mcp_log_record record;
	mcp_log_reading found;
	do {
		found = mcp_log_record_read(reading->item, &reading->offset, &record);
	} while (found == MCP_LOG_RECORD && !is_believed(reading, i, &record));
	if (found == MCP_LOG_RECORD) {
		*event = (mcp_event){
			.time_ms = record.time_ms,
			.slot = reading->next + i,
			.flags = record.flags,
			.payload = record.payload,
		};
	}
	return found;
}

/* The last events of a log: newest slots first, so that a log that is written to often costs one round trip. */

#define SLOTS_AT_FIRST 2

void mcp_event_log_last_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch) {
	uint64_t now_slot = mcp_window_slot(&log->window, mcp_wall_ms(log->environment));
	*reading = (mcp_event_log_reading){
		.log = log,
		.scratch = scratch,
		.now_slot = now_slot,
		.oldest = mcp_event_log_oldest(log, now_slot),
		.next = now_slot + 1,
	};
}

mcp_status mcp_event_log_last_read(mcp_event_log_reading *reading) {
	size_t wanted = reading->asked == 0 ? SLOTS_AT_FIRST : 2 * reading->asked;
	uint64_t left = reading->next - reading->oldest;
	size_t count = left < wanted ? (size_t)left : wanted;
	if (count == 0) {
		return MCP_NOT_FOUND;
	}
	reading->at = count;
	reading->is_entered = false;
	return mcp_event_log_ask(reading, reading->next - count, count);
}

/* Goes behind all but the last `wanted` events of the slot. */
static void skip_to_last(mcp_event_log_reading *reading, size_t i, size_t wanted) {
	mcp_event event;
	size_t begin = reading->offset, count = 0;
	while (mcp_event_log_step(reading, i, &event) == MCP_LOG_RECORD) {
		count++;
	}
	reading->offset = begin;
	for (; count > wanted; count--) {
		mcp_event_log_step(reading, i, &event);
	}
}

/* Counts down in reading->at, which is one above the slot's place, so that 0 is the end. */
bool mcp_event_log_last_take(mcp_event_log_reading *reading, size_t wanted, mcp_event *event) {
	for (; reading->at > 0; reading->at--) {
		size_t i = reading->at - 1;
		uint64_t id;
		if (!reading->is_entered && mcp_event_log_enter(reading, i, &id)) {
			skip_to_last(reading, i, wanted);
		}
		if (mcp_event_log_step(reading, i, event) == MCP_LOG_RECORD) {
			return true;
		}
		reading->is_entered = false;
	}
	return false;
}

/* Reads what came into a log since a cursor. A cursor is in two slots at once, the one that goes on and the one
 * before, because an event may come late into a slot that has just ended (J5). It moves on slot by slot: all that
 * was taken of the newer of the two is then known of the older. */

#define SLOTS_AT_ONCE 2
/* Odd: no two lengths of slots give one log two numbers that are the same. */
#define LENGTH_FACTOR 0x9E3779B97F4A7C15u
/* Far above any slot, far below where adding to one would wrap. */
#define SLOT_MAX (1ull << 48)

/* Returns the number that cursors of this log have. */
static uint64_t mcp_event_log_mark(const mcp_event_log *log) {
	uint64_t length_s = log->window.length_s / log->window.slots;
	return log->key->fingerprint + length_s * LENGTH_FACTOR;
}

bool mcp_event_log_owns(const mcp_event_log *log, const mcp_log_cursor *cursor) {
	return cursor->log == mcp_event_log_mark(log) && cursor->slot < SLOT_MAX;
}

/* Leaves slots that have left the log since the cursor was in them, which are lost to it, but for the last of
 * them, which may be there still. */
static void leave_lost_slots(mcp_event_log_reading *reading) {
	mcp_log_cursor *cursor = &reading->cursor;
	if (cursor->slot >= reading->oldest) {
		return;
	}
	bool was_in_last = cursor->slot + 1 == reading->oldest;
	/* From the one before on, into which something may have come late. */
	reading->lost = reading->oldest - cursor->slot;
	*cursor = (mcp_log_cursor){
		.log = cursor->log,
		.slot = reading->oldest,
		.older = was_in_last ? cursor->newer : (mcp_log_place){.id = 0},
	};
	reading->was_in_last = was_in_last;
}

/* Begins nowhere below the cursor's slot: a clock that was set back reads nothing twice. */
void mcp_event_log_since_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch, const mcp_log_cursor *from) {
	uint64_t now_slot = mcp_window_slot(&log->window, mcp_wall_ms(log->environment));
	if (from != NULL && from->slot > now_slot) {
		now_slot = from->slot;
	}
	*reading = (mcp_event_log_reading){
		.log = log,
		.scratch = scratch,
		.now_slot = now_slot,
		.oldest = mcp_event_log_oldest(log, now_slot),
		.had_cursor = from != NULL,
	};
	mcp_log_cursor oldest = {.log = mcp_event_log_mark(log), .slot = reading->oldest};
	reading->cursor = from != NULL ? *from : oldest;
	leave_lost_slots(reading);
	/* The slot before, too, when it has just left the log: it may be there still, and where it is not that is told. */
	reading->next = reading->cursor.slot - (reading->cursor.slot > 0 ? 1 : 0);
}

/* Counts so that the newest two are always in one round trip, which keeps a process's events in order where its
 * slots meet. */
static size_t count_next(uint64_t left) {
	return left % SLOTS_AT_ONCE != 0 ? 1 : SLOTS_AT_ONCE;
}

mcp_status mcp_event_log_since_read(mcp_event_log_reading *reading) {
	uint64_t first = reading->next + reading->asked;
	if (first > reading->now_slot) {
		return MCP_NOT_FOUND;
	}
	reading->at = 0;
	reading->is_entered = false;
	return mcp_event_log_ask(reading, first, count_next(reading->now_slot - first + 1));
}

/* Returns the cursor's place in this slot, to which it moves on if it is the next. */
static mcp_log_place *place_in(mcp_log_cursor *cursor, uint64_t slot) {
	if (slot < cursor->slot) {
		return &cursor->older;
	}
	if (slot > cursor->slot) {
		cursor->slot = slot;
		cursor->older = cursor->newer;
		cursor->newer = (mcp_log_place){.id = 0};
	}
	return &cursor->newer;
}

/* Says whether a slot into which something may have come while the cursor saw no item of it has left the log: the
 * cursor was in it, or the log had it when this call began. All of that is lost. */
static bool has_left(const mcp_event_log_reading *reading, uint64_t slot) {
	const mcp_event_log *log = reading->log;
	uint64_t now_slot = mcp_window_slot(&log->window, mcp_wall_ms(log->environment));
	bool was_there =
		slot >= reading->oldest || (reading->was_in_last && slot + 1 == reading->oldest);
	return reading->had_cursor && was_there && slot < mcp_event_log_oldest(log, now_slot);
}

/* Finds the place. Another item than the cursor was in, or none, means that what was not taken of that one is
 * lost. An item only grows. */
static void find_place(mcp_event_log_reading *reading, mcp_log_place *place) {
	uint64_t id;
	bool is_there = mcp_event_log_enter(reading, reading->at, &id);
	bool is_same = is_there && place->id == id && place->offset <= reading->item.length;
	if (is_same) {
		reading->offset = (size_t)place->offset;
		return;
	}
	reading->lost +=
		place->id != 0 || (!is_there && has_left(reading, reading->next + reading->at));
	*place = (mcp_log_place){.id = id, .offset = is_there ? reading->offset : 0};
}

/* Gives the item up: records behind a damaged one cannot be found, but for those that are appended from now on. */
static void give_up_item(mcp_event_log_reading *reading, mcp_log_place *place) {
	reading->lost++;
	reading->offset = reading->item.length;
	place->offset = reading->offset;
}

bool mcp_event_log_since_take(mcp_event_log_reading *reading, mcp_event *event) {
	for (; reading->at < reading->asked; reading->at++) {
		mcp_log_place *place = place_in(&reading->cursor, reading->next + reading->at);
		if (!reading->is_entered) {
			find_place(reading, place);
		}
		mcp_log_reading found =
			place->id != 0 ? mcp_event_log_step(reading, reading->at, event) : MCP_LOG_END;
		if (found == MCP_LOG_DAMAGED) {
			give_up_item(reading, place);
		} else if (place->id != 0) {
			place->offset = reading->offset;
		}
		if (found == MCP_LOG_RECORD) {
			return true;
		}
		reading->is_entered = false;
	}
	return false;
}
