/* The running number of a cached integer as its side key has it, shown in the entry that it belongs to. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_SIDE_NUMBER_H
#define MCP_PATTERNS_CACHE_SIDE_NUMBER_H

#include "../cache.h"

/* Stands before a frozen number, so that memcached refuses to count on it. */
#define MCP_CACHE_FROZEN_MARK "="

/* Where a value's running number stands, and what was found there. */
typedef struct mcp_cache_side {
	mcp_key key; /* of bytes in the buffer */
	mcp_reply reply;
	mcp_key_buffer buffer;
} mcp_cache_side;

/* Shows the side key's number in an entry whose envelope was read after it, where it belongs to it.
 * Evicted, or of another epoch: the envelope's own number stays. */
void mcp_cache_show_number(mcp_cache_entry *entry, const mcp_reply *side);

#endif
