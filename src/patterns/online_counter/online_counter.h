/* Counts visitors of the last few minutes: a number per time slot, summed over a window. Each visitor has a visitor
 * mark, an item that names the slot of the visitor's last hit. Only that slot counts the visitor. The rules are in
 * docs/spec/collections.md under the labels used here (O1, O2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_ONLINE_COUNTER_ONLINE_COUNTER_H
#define MCP_PATTERNS_ONLINE_COUNTER_ONLINE_COUNTER_H

#include "../../core/items/window.h"
#include "../../store/store.h"
#include "../slots_scratch.h"

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_online {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* key in MCP_SPACE_ONLINE, without a slot */
	mcp_bytes name;     /* name as the caller passed it; part of the hash in visitor marks */
	mcp_window window;
} mcp_online;

/* Count visits that the caller knows to be unique. MCP_OK. MCP_NOT_A_NUMBER. MCP_OUT_OF_RANGE: the increment was
 * undone. MCP_UNKNOWN: the visits might have been counted. Or another failure. Cost: 1 round trip, 2 for the first
 * call in a slot. */
mcp_status mcp_online_increment(const mcp_online *online, uint64_t by);

/* Count the visitor in the current slot instead of the slot of the last hit (O2). *is_new: the window did not include
 * the visitor. After a failed hit, 2 slots might count the visitor until the older slot leaves the window, but at
 * least one slot always does. Cost: 1 round trip if this slot already counts the visitor. A new visitor costs 3, or 2
 * if the store can batch and one server has the number and the visitor mark. A change of the slot costs 4. The first
 * number of a slot costs 1 more. */
mcp_status mcp_online_hit(const mcp_online *online, mcp_bytes visitor, bool *is_new);

/* Number of slots in a window, including the current slot. */
static inline size_t mcp_online_read_length(const mcp_window *window) {
	return (size_t)window->slots + 1;
}

/* Cost of both functions: 1 round trip per server and per 8,000 bytes of keys. If a slot cannot be read or is not a
 * number, its status is returned, because the result must not be an undercount. */

/* Sum all slots (O3). If `is_smooth`, only the part of the oldest slot that is in a window ending now is added. */
mcp_status mcp_online_count(const mcp_online *online, const mcp_slots_scratch *scratch,
	bool is_smooth, uint64_t *count);

/* Read scratch->numbers[0 .. slots], newest first. *newest is the current slot. */
mcp_status mcp_online_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *newest);

/* Keys of slots and visitor marks. Private to this folder. */

/* Make the key of a slot's number. */
mcp_key mcp_online_slot_key(const mcp_online *online, mcp_key_buffer *buffer, uint64_t slot);

/* Make the key of a visitor mark, from any bytes, unique per counter and visitor. */
mcp_key mcp_online_visitor_key(const mcp_online *online, mcp_key_buffer *buffer, mcp_bytes visitor);

#endif
