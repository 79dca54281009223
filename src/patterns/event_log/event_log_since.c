/* Reads what came into a log since a cursor. A cursor is in two slots at once, the one that goes on and the one
 * before, because an event may come late into a slot that has just ended (J5). It moves on slot by slot: all that
 * was taken of the newer of the two is then known of the older. */
/* SPDX-License-Identifier: MIT */
#include "event_log.h"
#include "event_log_slots.h"

#define SLOTS_AT_ONCE 2
/* Odd: no two lengths of slots give one log two numbers that are the same. */
#define LENGTH_FACTOR 0x9E3779B97F4A7C15u
/* Far above any slot, far below where adding to one would wrap. */
#define SLOT_MAX (1ull << 48)

uint64_t mcp_event_log_mark(const mcp_event_log *log) {
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
