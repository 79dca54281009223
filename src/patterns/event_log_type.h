/* Which event log is meant, what an event is and how far a reader has come: what event_log.h and event_log_slots.h are
 * asked with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_EVENT_LOG_TYPE_H
#define MCP_PATTERNS_EVENT_LOG_TYPE_H

#include "../core/log_cursor.h"
#include "../core/log_record.h"
#include "../core/window.h"
#include "../store/store.h"

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

#endif
