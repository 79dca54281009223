/* Reads the slots of an event log, a few in a round trip, and goes through their records. */
/* SPDX-License-Identifier: MIT */
#include "event_log_slots.h"

#include "../../core/items/append_head.h"

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

mcp_status mcp_event_log_ask(mcp_event_log_reading *reading, uint64_t oldest, size_t count) {
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

bool mcp_event_log_enter(mcp_event_log_reading *reading, size_t i, uint64_t *id) {
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

mcp_log_reading mcp_event_log_step(mcp_event_log_reading *reading, size_t i, mcp_event *event) {
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
