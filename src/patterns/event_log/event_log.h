/* The log of what happened lately, from all processes: a slot of time is an item that every event of it is appended to.
 *
 * The rules are in docs/spec/collections.md under the names used here (J1, J2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_EVENT_LOG_EVENT_LOG_H
#define MCP_PATTERNS_EVENT_LOG_EVENT_LOG_H

#include "../../core/items/log_record.h"
#include "../../core/items/window.h"
#include "../../store/store.h"

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_event_log {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_LOG, without a slot */
	mcp_window window;  /* the slots that have ended; the log has the one that goes on too */
	const mcp_signing_keys *signing_keys; /* NULL: nothing is signed, and everything is believed */
} mcp_event_log;

typedef struct mcp_event {
	uint64_t time_ms; /* Unix time, by the clock of the process that appended it */
	uint64_t slot;
	uint32_t flags;    /* the payload's own: the lower 16 bits */
	mcp_bytes payload; /* of one that was read: a view */
} mcp_event;

/* Memory for reading: as many of each as mcp_event_log_slots says. */
typedef struct mcp_event_log_scratch {
	mcp_key *keys;
	mcp_key_buffer *buffers;
	mcp_reply *replies;
} mcp_event_log_scratch;

/* Going through the slots, a few of them in a round trip. */
typedef struct mcp_event_log_reading {
	const mcp_event_log *log;
	const mcp_event_log_scratch *scratch;
	uint64_t now_slot; /* the newest that there can be */
	uint64_t oldest;   /* the oldest that the log still has */
	uint64_t next;     /* of the next round trip: the first slot that was not asked for */
	size_t asked;      /* by the last round trip */
	size_t at;         /* of these: the one whose events are taken now */
	bool is_entered;   /* it has been looked at */
	mcp_bytes item;    /* of this slot; a view */
	size_t offset;
	mcp_log_cursor cursor; /* of since: behind what was taken */
	uint64_t lost;         /* of since */
	bool had_cursor;       /* of since: the caller */
	bool was_in_last;      /* of since: the cursor, in the last slot that has left the log */
} mcp_event_log_reading;

/* Says how many bytes of memory appending such an event takes. */
size_t mcp_event_log_record_length(const mcp_event_log *log, size_t payload_length);

/* Adds by J1 an event, of which flags and payload are taken, at this moment. `record` is memory for it, see above.
 * MCP_OK; MCP_NOT_STORED: its slot's item is full, or the server has no memory for it; MCP_TOO_LARGE; or a failure,
 * of which MCP_UNKNOWN may have been done (J6). 1 round trip; 2 for the first of a slot. */
mcp_status mcp_event_log_append(const mcp_event_log *log, const mcp_event *event, char *record);

/* Says how many of each there are. */
static inline size_t mcp_event_log_slots(const mcp_window *window) {
	return (size_t)window->slots + 1;
}

/* --- the last ones: the newest slots first, two of them, then twice as many each time --- */

void mcp_event_log_last_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch);
/* Asks for the next slots. MCP_OK; MCP_NOT_FOUND: there are no more; or a failure, and then nothing that was taken
 * before is the whole. Ends all views. */
mcp_status mcp_event_log_last_read(mcp_event_log_reading *reading);
/* Takes the next event of those slots: the newest slot's first, but within a slot in their order, and of a slot
 * the last `wanted` at most. False if there are no more. A damaged record, or one not signed as it should be, is
 * left out. */
bool mcp_event_log_last_take(mcp_event_log_reading *reading, size_t wanted, mcp_event *event);

/* --- what came since (J5): oldest first, two slots in a round trip --- */

/* Says whether the cursor can be one of this log's. */
bool mcp_event_log_owns(const mcp_event_log *log, const mcp_log_cursor *cursor);

/* Begins at `from`; NULL: at the oldest that there is. */
void mcp_event_log_since_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch, const mcp_log_cursor *from);
/* Reads as mcp_event_log_last_read does. */
mcp_status mcp_event_log_since_read(mcp_event_log_reading *reading);
/* Takes the next event; reading->cursor is behind it then, and reading->lost counts the slots that were lost
 * before it. Whoever has enough stops taking. False if there are no more of these slots. */
bool mcp_event_log_since_take(mcp_event_log_reading *reading, mcp_event *event);

/* Forgets all events; cursors are told that slots were lost. MCP_OK or a failure, at which it ends. As many round
 * trips as slots, and two. */
mcp_status mcp_event_log_clear(const mcp_event_log *log);

/* An event log's slots: their names, which there are, and what of an item is believed. Private to
 * src/patterns/event_log*.c. */

/* Makes a key on the log's server, whatever the slot. */
static inline mcp_key mcp_event_log_slot_key(const mcp_event_log *log, mcp_key_buffer *buffer,
	uint64_t slot) {
	return mcp_key_append_beside(buffer, log->key, slot);
}

/* Returns the oldest slot that the log has while this one goes on. */
static inline uint64_t mcp_event_log_oldest(const mcp_event_log *log, uint64_t now_slot) {
	return now_slot > log->window.slots ? now_slot - log->window.slots : 0;
}

#endif
