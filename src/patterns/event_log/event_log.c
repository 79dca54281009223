/* Appends events to the slot that goes on, and forgets them all. */
/* SPDX-License-Identifier: MIT */
#include "event_log.h"

#include "../../core/items/append_head.h"
#include "../append.h"
#include "event_log_slots.h"

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
