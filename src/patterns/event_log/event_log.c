/* Appends events to the current slot, reads the last events or the events since a cursor, and clears the log. */
/* SPDX-License-Identifier: MIT */
#include "event_log.h"

#include "../../core/items/item_head.h"
#include "../append.h"

/* The signature of a record covers the record's time and the key of its slot. */
static inline mcp_signed_value signed_record(const mcp_key *key, uint32_t flags,
	mcp_bytes content) {
	return (mcp_signed_value){
		.purpose = MCP_SIGNED_EVENT,
		.wire_key = key->wire,
		.flags = flags,
		.payload = content,
	};
}

/* Additional allowance for clock skew. With the 1 s for which a window keeps an old slot, it is 2 s. */
#define KEPT_LONGER_MS 1000

size_t mcp_event_log_record_length(const mcp_event_log *log, size_t payload_length) {
	return mcp_log_record_length(payload_length, log->signing_keys != NULL);
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
		mcp_signed_value value = signed_record(key, event->flags, content);
		mcp_signature_sign(log->signing_keys, &value, (unsigned char *)memory + content.length);
	}
	return mcp_bytes_of(memory, mcp_event_log_record_length(log, event->payload.length));
}

mcp_status mcp_event_log_append(const mcp_event_log *log, const mcp_event *event, char *record) {
	uint64_t now_ms = mcp_wall_ms(log->environment);
	uint64_t slot = mcp_window_slot(&log->window, now_ms);
	uint64_t ttl_ms = mcp_window_slot_ttl_ms(&log->window, slot, now_ms) + KEPT_LONGER_MS;
	char head[MCP_APPEND_HEAD_LENGTH];
	mcp_key_buffer buffer;
	mcp_key key = mcp_event_log_slot_key(log, &buffer, slot);
	const mcp_record to_append = {
		.head = mcp_append_new_head(log->environment, MCP_APPEND_LOG, now_ms + ttl_ms, head),
		.body = write_record(log, &key, event, now_ms, record),
		.ttl_ms = ttl_ms,
	};
	return mcp_append(log->store, &key, &to_append);
}

#define SLOTS_CLEARED_AT_ONCE 32

/* Clear all slots, including the next slot, which a host whose clock is ahead might have started. */
mcp_status mcp_event_log_clear(const mcp_event_log *log) {
	mcp_key keys[SLOTS_CLEARED_AT_ONCE];
	mcp_key_buffer buffers[SLOTS_CLEARED_AT_ONCE];
	mcp_status statuses[SLOTS_CLEARED_AT_ONCE];
	uint64_t now_slot = mcp_window_slot(&log->window, mcp_wall_ms(log->environment));
	for (uint64_t slot = mcp_event_log_oldest(log, now_slot); slot <= now_slot + 1;) {
		size_t count = 0;
		for (; count < SLOTS_CLEARED_AT_ONCE && slot <= now_slot + 1; slot++, count++) {
			keys[count] = mcp_event_log_slot_key(log, &buffers[count], slot);
		}
		mcp_store_delete_many(log->store, keys, count, statuses);
		for (size_t i = 0; i < count; i++) {
			if (statuses[i] != MCP_OK && statuses[i] != MCP_NOT_FOUND) {
				return statuses[i];
			}
		}
	}
	return MCP_OK;
}

/* --- reading: reads the slots, several per round trip, and iterates over their records --- */

/* Request the newest slot first. A process that appended an event to it knew older events before, so the later read
 * of the older slot finds them. In the opposite order, these older events could be missed. */
static size_t place_of(const mcp_event_log_reading *reading, size_t i) {
	return reading->asked - 1 - i;
}

/* Read `count` slots in one multi-get. The i-th slot is oldest + i. MCP_OK, or the failure of one slot. */
static mcp_status read_slots_from(mcp_event_log_reading *reading, uint64_t oldest, size_t count) {
	const mcp_event_log_scratch *scratch = reading->scratch;
	reading->first = oldest;
	reading->asked = count;
	for (size_t i = 0; i < count; i++) {
		size_t place = place_of(reading, i);
		scratch->keys[place] =
			mcp_event_log_slot_key(reading->log, &scratch->buffers[place], oldest + i);
	}
	mcp_store_get_many(reading->log->store, scratch->keys, count, scratch->replies);
	for (size_t i = 0; i < count; i++) {
		mcp_status status = scratch->replies[i].status;
		if (status != MCP_OK && status != MCP_NOT_FOUND) {
			return status;
		}
	}
	return MCP_OK;
}

/* Start at the first record of the i-th slot's item, and read the item's id. Returns false if the item is missing or
 * not a log. */
static bool enter_slot(mcp_event_log_reading *reading, size_t i, uint64_t *id) {
	const mcp_op *reply = &reading->scratch->replies[place_of(reading, i)];
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
	mcp_signed_value value = signed_record(&reading->scratch->keys[place_of(reading, i)],
		record->flags, record->content);
	return record->is_signed && mcp_signature_verify(keys, &value, record->signature);
}

/* Read the next event with a valid signature, and advance reading->offset. MCP_LOG_DAMAGED: no later record
 * can be found. */
static mcp_log_reading step_in_slot(mcp_event_log_reading *reading, size_t i, mcp_event *event) {
	mcp_log_record record;
	mcp_log_reading found;
	do {
		found = mcp_log_record_read(reading->item, &reading->offset, &record);
	} while (found == MCP_LOG_RECORD && !is_believed(reading, i, &record));
	if (found == MCP_LOG_RECORD) {
		*event = (mcp_event){
			.time_ms = record.time_ms,
			.slot = reading->first + i,
			.flags = record.flags,
			.payload = record.payload,
		};
	}
	return found;
}

/* --- the last events of a log, newest slots first: a busy log costs 1 round trip --- */

#define SLOTS_AT_FIRST 2
/* A log with the default 13 slots and few events costs 2 round trips. */
#define SLOTS_GROWTH 8
/* Maximum number of last events that one pass over a slot finds. */
#define FOUND_AT_ONCE 128

void mcp_event_log_last_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch) {
	uint64_t now_slot = mcp_window_slot(&log->window, mcp_wall_ms(log->environment));
	*reading = (mcp_event_log_reading){
		.log = log,
		.scratch = scratch,
		.now_slot = now_slot,
		.oldest = mcp_event_log_oldest(log, now_slot),
		.first = now_slot + 1,
	};
}

mcp_status mcp_event_log_last_read(mcp_event_log_reading *reading) {
	size_t wanted = reading->asked == 0 ? SLOTS_AT_FIRST : SLOTS_GROWTH * reading->asked;
	uint64_t left = reading->first - reading->oldest;
	size_t count = left < wanted ? (size_t)left : wanted;
	if (count == 0) {
		return MCP_NOT_FOUND;
	}
	reading->at = count;
	reading->is_entered = false;
	return read_slots_from(reading, reading->first - count, count);
}

/* Skip all but the last `wanted` events of the slot. */
static void skip_to_last(mcp_event_log_reading *reading, size_t i, size_t wanted) {
	mcp_event event;
	size_t begin = reading->offset, count = 0, at = begin;
	size_t last[FOUND_AT_ONCE]; /* offsets of the last events, as a ring */
	for (; step_in_slot(reading, i, &event) == MCP_LOG_RECORD; at = reading->offset) {
		last[count++ % FOUND_AT_ONCE] = at;
	}
	bool is_found = count > wanted && wanted <= FOUND_AT_ONCE;
	reading->offset = is_found ? last[(count - wanted) % FOUND_AT_ONCE] : begin;
	for (; count > wanted && !is_found; count--) {
		step_in_slot(reading, i, &event);
	}
}

/* reading->at counts down. It is the index of the current slot plus 1, so that 0 is the end. */
bool mcp_event_log_last_take(mcp_event_log_reading *reading, size_t wanted, mcp_event *event) {
	for (; reading->at > 0; reading->at--) {
		size_t i = reading->at - 1;
		uint64_t id;
		if (!reading->is_entered && enter_slot(reading, i, &id)) {
			skip_to_last(reading, i, wanted);
		}
		if (step_in_slot(reading, i, event) == MCP_LOG_RECORD) {
			return true;
		}
		reading->is_entered = false;
	}
	return false;
}

/* --- events since a cursor --- */

/* A cursor has one place in the current slot and one in the previous slot, because an event can arrive late in a slot
 * that has just ended (J5). The cursor advances slot by slot. */

#define SLOTS_AT_ONCE 2
/* Far above any slot, and far below an overflow. */
#define SLOT_MAX (1ull << 48)

/* The number of this log in its cursors. The factor is odd, so a log never has one number for two slot lengths. */
static uint64_t cursor_log_number(const mcp_event_log *log) {
	uint64_t length_s = log->window.length_s / log->window.slots;
	return log->key->fingerprint + length_s * MCP_GOLDEN_FACTOR;
}

bool mcp_event_log_owns(const mcp_event_log *log, const mcp_log_cursor *cursor) {
	return cursor->log == cursor_log_number(log) && cursor->slot < SLOT_MAX;
}

/* Skip the slots that have left the log since the cursor was written. They are lost, but the newest of them can still
 * exist. */
static void leave_lost_slots(mcp_event_log_reading *reading) {
	mcp_log_cursor *cursor = &reading->cursor;
	if (cursor->slot >= reading->oldest) {
		return;
	}
	bool was_in_last = cursor->slot + 1 == reading->oldest;
	/* Count from the cursor's previous slot on, because an event might have arrived there late. */
	reading->lost = reading->oldest - cursor->slot;
	*cursor = (mcp_log_cursor){
		.log = cursor->log,
		.slot = reading->oldest,
		.older = was_in_last ? cursor->newer : (mcp_log_place){.id = 0},
	};
	reading->was_in_last = was_in_last;
}

/* Never begin before the cursor's slot, so that events are not read twice after a clock has been set back. */
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
	mcp_log_cursor oldest = {.log = cursor_log_number(log), .slot = reading->oldest};
	reading->cursor = from != NULL ? *from : oldest;
	leave_lost_slots(reading);
	/* Also read the previous slot if it has just left the log, because it can still exist. If it does not exist, it is
	 * reported as lost. */
	reading->first = reading->cursor.slot - (reading->cursor.slot > 0 ? 1 : 0);
}

mcp_status mcp_event_log_since_read(mcp_event_log_reading *reading) {
	uint64_t first = reading->first + reading->asked;
	if (first > reading->now_slot) {
		return MCP_NOT_FOUND;
	}
	reading->at = 0;
	reading->is_entered = false;
	/* Always read the 2 newest slots in one round trip. This keeps the order of a process's events that are before
	 * and after the end of a slot. */
	uint64_t left = reading->now_slot - first + 1;
	return read_slots_from(reading, first, left % SLOTS_AT_ONCE != 0 ? 1 : SLOTS_AT_ONCE);
}

/* The cursor's place in this slot. If the slot is after the cursor's, the cursor advances to it. */
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

/* Whether the slot might have received events after the cursor had passed it, and has now left the log, so that these
 * events are lost. Only slots count that the cursor was in, or that the log had when this call began. */
static bool has_left(const mcp_event_log_reading *reading, uint64_t slot) {
	const mcp_event_log *log = reading->log;
	uint64_t now_slot = mcp_window_slot(&log->window, mcp_wall_ms(log->environment));
	bool was_there =
		slot >= reading->oldest || (reading->was_in_last && slot + 1 == reading->oldest);
	return reading->had_cursor && was_there && slot < mcp_event_log_oldest(log, now_slot);
}

/* Continue at the place. If the slot's item is missing or is a new item, the events of the previous item that were
 * not yet taken are lost. An item only grows. */
static void find_place(mcp_event_log_reading *reading, mcp_log_place *place) {
	uint64_t id;
	bool is_there = enter_slot(reading, reading->at, &id);
	bool is_same = is_there && place->id == id && place->offset <= reading->item.length;
	if (is_same) {
		reading->offset = (size_t)place->offset;
		return;
	}
	if (place->id != 0 || (!is_there && has_left(reading, reading->first + reading->at))) {
		reading->lost++;
	}
	*place = (mcp_log_place){.id = id, .offset = is_there ? reading->offset : 0};
}

bool mcp_event_log_since_take(mcp_event_log_reading *reading, mcp_event *event) {
	for (; reading->at < reading->asked; reading->at++) {
		mcp_log_place *place = place_in(&reading->cursor, reading->first + reading->at);
		if (!reading->is_entered) {
			find_place(reading, place);
		}
		mcp_log_reading found =
			place->id != 0 ? step_in_slot(reading, reading->at, event) : MCP_LOG_END;
		if (found == MCP_LOG_DAMAGED) {
			/* Skip the rest of the item, because the end of a damaged record is unknown. Only records that are
			 * appended later can be found. */
			reading->lost++;
			reading->offset = reading->item.length;
		}
		if (place->id != 0) {
			place->offset = reading->offset;
		}
		if (found == MCP_LOG_RECORD) {
			return true;
		}
		reading->is_entered = false;
	}
	return false;
}
