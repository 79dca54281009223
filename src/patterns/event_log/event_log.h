/* Log of recent events from all processes: each time slot is an item, to which the processes append the slot's
 * events. The rules are in docs/spec/collections.md under the labels used here (J1, J2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_EVENT_LOG_EVENT_LOG_H
#define MCP_PATTERNS_EVENT_LOG_EVENT_LOG_H

#include "../../core/items/log_record.h"
#include "../../core/items/window.h"
#include "../../store/store.h"

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_event_log {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* key in MCP_SPACE_LOG, without a slot */
	mcp_window window;  /* window of the past slots; the log also has the current slot */
	const mcp_signing_keys *signing_keys; /* NULL: events are not signed, and all are accepted */
} mcp_event_log;

typedef struct mcp_event {
	uint64_t time_ms; /* Unix time, by the clock of the appending process */
	uint64_t slot;
	uint32_t flags;    /* lower 16 bits of the payload's flags */
	mcp_bytes payload; /* a view, if the event was read */
} mcp_event;

/* Scratch memory for reading. Each array has mcp_event_log_slots elements. */
typedef struct mcp_event_log_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_op *replies;
} mcp_event_log_scratch;

/* Iteration over the slots, several per round trip. */
typedef struct mcp_event_log_reading {
	const mcp_event_log *log;
	const mcp_event_log_scratch *scratch;
	uint64_t now_slot; /* the newest possible slot */
	uint64_t oldest;   /* the oldest slot of the log */
	/* First slot of the last round trip. Before the first: the first slot to read (since), or the end (last). */
	uint64_t first;
	size_t asked;    /* number of slots in the last round trip */
	size_t at;       /* since: index of the current slot among these; last: this index plus 1 */
	bool is_entered; /* the current slot's item has been read */
	mcp_bytes item;  /* item of this slot; a view */
	size_t offset;
	mcp_log_cursor cursor; /* since: cursor after the last event taken */
	uint64_t lost;         /* since: number of lost slots */
	bool had_cursor;       /* since: the caller passed a cursor */
	bool was_in_last;      /* since: the cursor was in the slot that has just left the log */
} mcp_event_log_reading;

/* Size of the record of an event. */
size_t mcp_event_log_record_length(const mcp_event_log *log, size_t payload_length);

/* Append an event with this payload and these flags, at the current time (J1). `record`: buffer of
 * mcp_event_log_record_length bytes. MCP_OK. MCP_NOT_STORED: the slot is full, or the server is out of memory.
 * MCP_TOO_LARGE. MCP_UNKNOWN: the append might have been executed (J6). Or another failure. Cost: 1 round trip, 2 for
 * the first event of a slot. */
mcp_status mcp_event_log_append(const mcp_event_log *log, const mcp_event *event, char *record);

/* Number of slots, including the current slot. */
static inline size_t mcp_event_log_slots(const mcp_window *window) {
	return (size_t)window->slots + 1;
}

/* --- the last events: the first read has the 2 newest slots, and each further read 8 times as many as before --- */

void mcp_event_log_last_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch);
/* Read the next slots. MCP_OK. MCP_NOT_FOUND: no more slots. A failure: the events taken so far are
 * incomplete. Invalidates all views. */
mcp_status mcp_event_log_last_read(mcp_event_log_reading *reading);
/* Take the next event of these slots: newest slot first, in order within a slot, at most the last `wanted` events of
 * a slot. Returns false at the end. Damaged records and invalid signatures are skipped. */
bool mcp_event_log_last_take(mcp_event_log_reading *reading, size_t wanted, mcp_event *event);

/* --- events since a cursor (J5): oldest first, 2 slots per round trip --- */

/* Whether the cursor belongs to this log. */
bool mcp_event_log_owns(const mcp_event_log *log, const mcp_log_cursor *cursor);

/* Begin at `from`; NULL: at the oldest slot. */
void mcp_event_log_since_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch, const mcp_log_cursor *from);
/* Like mcp_event_log_last_read. */
mcp_status mcp_event_log_since_read(mcp_event_log_reading *reading);
/* Take the next event. reading->cursor is then after the event, and reading->lost is the number of slots that were
 * lost before the event. The caller may stop at any event. Returns false at the end of these slots. */
bool mcp_event_log_since_take(mcp_event_log_reading *reading, mcp_event *event);

/* Delete all events. Readers with a cursor then find lost slots. MCP_OK or the first failure. Cost: 1 round trip per
 * 32 slots if the store can batch, otherwise 2, and 1 per slot of the window. */
mcp_status mcp_event_log_clear(const mcp_event_log *log);

/* Keys and oldest slot. Private to this folder. */

/* Make the key of a slot. All slots are on the log's server. */
static inline mcp_key mcp_event_log_slot_key(const mcp_event_log *log, mcp_key_buffer *buffer,
	uint64_t slot) {
	return mcp_key_append_beside(buffer, log->key, slot);
}

/* The oldest slot of the log if `now_slot` is the current slot. */
static inline uint64_t mcp_event_log_oldest(const mcp_event_log *log, uint64_t now_slot) {
	return now_slot > log->window.slots ? now_slot - log->window.slots : 0;
}

#endif
