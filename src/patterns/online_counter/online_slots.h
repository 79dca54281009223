/* Where visits are kept: the keys of slots and marks, and counting under one of them. Private to
 * src/patterns/online_*.c. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_ONLINE_SLOTS_H
#define MCP_PATTERNS_ONLINE_SLOTS_H

#include "online_counter.h"

/* Makes the key that holds one slot's number. */
mcp_key mcp_online_slot_key(const mcp_online *online, mcp_key_buffer *buffer, uint64_t slot);

/* Makes the key of one visitor's mark: of any bytes, and of no other counter and visitor. */
mcp_key mcp_online_mark_key(const mcp_online *online, mcp_key_buffer *buffer, mcp_bytes visitor);

/* Adds to a number that lives as long as the slot. MCP_NOT_FOUND: nobody asks for it any more. */
mcp_status mcp_online_bump(const mcp_online *online, const mcp_key *key, uint64_t slot,
	uint64_t by);

#endif
