/* How many visitors there were in the last minutes: a counter for each slot of time, summed over a window of them, and a mark
 * for each visitor with the slot that counts him, which is that of his last hit.
 *
 * The rules are in docs/spec/collections.md under the names used here (O1, O2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_ONLINE_COUNTER_ONLINE_COUNTER_H
#define MCP_PATTERNS_ONLINE_COUNTER_ONLINE_COUNTER_H

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

/* Counts this visitor by O2 in the slot that is going on, and no longer in the one of his last hit. *is_new: the window did not
 * have him. A failed hit may leave him in two slots until the older one leaves the window, and never in none. One round trip
 * for a visitor who has been counted in this slot; three for a new one; four for one who changes slots; and one more for a
 * number that is the first of its slot. */
mcp_status mcp_online_hit(const mcp_online *online, mcp_bytes visitor, bool *is_new);

/* Counts the slots of a window, the one that is going on among them. */
static inline size_t mcp_online_read_length(const mcp_window *window) {
	return (size_t)window->slots + 1;
}

/* Both: one round trip per server and 8,000 bytes of keys; a single slot that does not answer, or
 * holds no number, is the status of the whole and never an undercount. */

/* Sums up by O3 all slots; smooth: of the oldest one its share of a window that ends now. */
mcp_status mcp_online_count(const mcp_online *online, const mcp_slots_scratch *scratch,
	bool is_smooth, uint64_t *count);

/* Reads scratch->numbers [0 .. slots]: newest first, from *newest, which is still going on. */
mcp_status mcp_online_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *newest);

/* Where visits are kept: the keys of slots and marks, and counting under one of them. Private to
 * src/patterns/online_*.c. */

/* Makes the key that holds one slot's number. */
mcp_key mcp_online_slot_key(const mcp_online *online, mcp_key_buffer *buffer, uint64_t slot);

/* Makes the key of one visitor's mark: of any bytes, and of no other counter and visitor. */
mcp_key mcp_online_mark_key(const mcp_online *online, mcp_key_buffer *buffer, mcp_bytes visitor);

#endif
