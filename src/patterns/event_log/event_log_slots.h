/* An event log's slots: their names, which there are, and what of an item is believed. Private to
 * src/patterns/event_log*.c. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_EVENT_LOG_SLOTS_H
#define MCP_PATTERNS_EVENT_LOG_SLOTS_H

#include "event_log.h"

/* Makes a key on the log's server, whatever the slot. */
static inline mcp_key mcp_event_log_slot_key(const mcp_event_log *log, mcp_key_buffer *buffer,
	uint64_t slot) {
	return mcp_key_append_beside(buffer, log->key, slot);
}

/* Returns the oldest slot that the log has while this one goes on. */
static inline uint64_t mcp_event_log_oldest(const mcp_event_log *log, uint64_t now_slot) {
	return now_slot > log->window.slots ? now_slot - log->window.slots : 0;
}

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

/* Asks for `count` slots from `oldest` on, in one multi-get: the i-th is slot oldest + i. MCP_OK, or the failure of one
 * of them. */
mcp_status mcp_event_log_ask(mcp_event_log_reading *reading, uint64_t oldest, size_t count);

/* Enters the item of the i-th slot that was asked for, and reads its number. False if there is none, or it is
 * not a log's. */
bool mcp_event_log_enter(mcp_event_log_reading *reading, size_t i, uint64_t *id);

/* Reads the next event that is believed, from reading->offset on, which goes on behind it. MCP_LOG_DAMAGED: there
 * is no more that can be found. */
mcp_log_reading mcp_event_log_step(mcp_event_log_reading *reading, size_t i, mcp_event *event);

#endif
