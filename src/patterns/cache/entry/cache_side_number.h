/* The running number of a cached integer: reads its side key and shows it in the entry. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_SIDE_NUMBER_H
#define MCP_PATTERNS_CACHE_SIDE_NUMBER_H

#include "../cache.h"

/* Prefix of a frozen number, which makes memcached refuse to increment it. */
#define MCP_CACHE_FROZEN_MARK "="

/* A side key and the reply to its read. */
typedef struct mcp_cache_side {
	mcp_key key; /* bytes in the buffer */
	mcp_op reply;
	mcp_key_buffer buffer;
} mcp_cache_side;

/* Show the side key's number in its entry. The envelope must have been read after it. If it is evicted or
 * has another epoch, the envelope's number stays. */
void mcp_cache_show_number(mcp_cache_entry *entry, const mcp_op *side);

#endif
