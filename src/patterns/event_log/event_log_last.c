/* The last events of a log: newest slots first, so that a log that is written to often costs one round trip. */
/* SPDX-License-Identifier: MIT */
#include "event_log.h"
#include "event_log_slots.h"

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
