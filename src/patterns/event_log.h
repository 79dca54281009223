/* What happened lately, from all processes: a slot of time is an item that every event of it is appended to.
 *
 * The rules are in docs/event-log.md under the names used here (E1, E2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_EVENT_LOG_H
#define MCP_PATTERNS_EVENT_LOG_H

#include "event_log_type.h"

/* How many bytes of memory appending such an event takes. */
size_t mcp_event_log_record_length(const mcp_event_log *log, size_t payload_length);

/* E1: adds an event, of which flags and payload are taken, at this moment. `record` is memory for it, see above.
 * MCP_OK; MCP_NOT_STORED: its slot's item is full, or the server has no memory for it; MCP_TOO_LARGE; or a failure,
 * of which MCP_UNKNOWN may have been done (E6). 1 round trip; 2 for the first of a slot. */
mcp_status mcp_event_log_append(const mcp_event_log *log, const mcp_event *event, char *record);

/* How many of each. */
static inline size_t mcp_event_log_slots(const mcp_window *window) {
	return (size_t)window->slots + 1;
}

/* --- the last ones: the newest slots first, two of them, then twice as many each time --- */

void mcp_event_log_last_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch);
/* Asks for the next slots. MCP_OK; MCP_NOT_FOUND: there are no more; or a failure, and then nothing that was taken
 * before is the whole. Ends all views. */
mcp_status mcp_event_log_last_read(mcp_event_log_reading *reading);
/* The next event of those slots: the newest slot's first, but within a slot in their order, and of a slot the last
 * `wanted` at most. False: there are no more. What is damaged, or not signed as it should be, is left out. */
bool mcp_event_log_last_take(mcp_event_log_reading *reading, size_t wanted, mcp_event *event);

/* --- what came since (E5): oldest first, two slots in a round trip --- */

/* The number that cursors of this log have. */
uint64_t mcp_event_log_mark(const mcp_event_log *log);
/* Whether the cursor can be one of this log's. */
bool mcp_event_log_owns(const mcp_event_log *log, const mcp_log_cursor *cursor);

/* `from` NULL: from the oldest that there is. */
void mcp_event_log_since_begin(mcp_event_log_reading *reading, const mcp_event_log *log,
	const mcp_event_log_scratch *scratch, const mcp_log_cursor *from);
/* As mcp_event_log_last_read. */
mcp_status mcp_event_log_since_read(mcp_event_log_reading *reading);
/* The next event; reading->cursor is behind it then, and reading->lost counts the slots that were lost before it.
 * Whoever has enough stops taking. False: there are no more of these slots. */
bool mcp_event_log_since_take(mcp_event_log_reading *reading, mcp_event *event);

/* Forgets all events; cursors are told that slots were lost. MCP_OK or a failure, at which it ends. As many round
 * trips as slots, and two. */
mcp_status mcp_event_log_clear(const mcp_event_log *log);

#endif
