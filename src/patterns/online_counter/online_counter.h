/* How many visitors were counted in the last minutes: a counter for each slot of time, summed over the
 * slots that have ended, and a mark for each visitor so that one who stays counts once.
 *
 * The rules are in docs/classes/online-counter.md under the names used here (O1, O2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_ONLINE_COUNTER_H
#define MCP_PATTERNS_ONLINE_COUNTER_H

#include "../../core/items/window.h"
#include "../../store/store.h"
#include "../slots_scratch.h"

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_online {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_ONLINE, without a slot */
	mcp_bytes name;     /* as the user gave it: marks are hashed from it */
	mcp_window window;
} mcp_online;

/* Counts visits that the caller knows to be unique. MCP_OK, MCP_NOT_A_NUMBER, MCP_OUT_OF_RANGE (taken
 * back), or a failure, of which MCP_UNKNOWN may have counted. One round trip; two for a slot's first. */
mcp_status mcp_online_increment(const mcp_online *online, uint64_t by);

/* Counts by O2 this visitor unless one of the last slots has. *has_counted says so. When the counting fails the
 * mark is taken back as far as the server can still be asked, so that the visitor's next visit counts: one that
 * MCP_UNKNOWN may have counted counts twice rather than never. After a longer outage, or of a killed process,
 * the mark stays, and he is missing until it lets him count again. One round trip for a visitor who has been
 * counted; three for one who counts; four for one who counts again exactly a window later; and one more for
 * each number that is the first of its slot. */
mcp_status mcp_online_hit(const mcp_online *online, mcp_bytes visitor, bool *has_counted);

/* Counts the slots of a window, the one that is going on, and two numbers that only a smooth count asks for. */
static inline size_t mcp_online_read_length(const mcp_window *window) {
	return (size_t)window->slots + 3;
}

/* All three: one round trip per server and 8,000 bytes of keys; a single slot that does not answer, or
 * holds no number, is the status of the whole and never an undercount. */

/* Sums up by O3 the slots that have ended. */
mcp_status mcp_online_count(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *count);

/* Sums up by O3 a window that ends now: the current slot in place of the matching share of the oldest
 * (mcp_window_oldest_share), and nobody for both. */
mcp_status mcp_online_count_smooth(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *count);

/* Reads scratch->numbers [0 .. slots]: newest first, from *newest, which is still going on. */
mcp_status mcp_online_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *newest);

#endif
