/* Appends to an item, and creates a missing item, for all classes with concurrent appends (EventLog, MemberSet,
 * UniqueVisitors). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_APPEND_H
#define MCP_PATTERNS_APPEND_H

#include "../core/items/item_head.h"
#include "../store/store.h"

/* Write the head of a new item to `out`, with a random number, and return the head. */
mcp_bytes mcp_append_new_head(const mcp_environment *environment, mcp_append_kind kind,
	uint64_t end_ms, char out[MCP_APPEND_HEAD_LENGTH]);

/* Append record->body. If the item is missing, add head and body with the record's TTL. If another process adds the
 * item first, append again. At most these 3 commands are sent. A loop would not end on a full item, because memcached
 * gives the same reply for a missing and a full item. MCP_OK. MCP_NOT_STORED: the item has no space for the body, or
 * the server is out of memory. MCP_TOO_LARGE: the body does not fit into an empty item. MCP_UNKNOWN: the command
 * might have been executed, and is not sent again. Or another failure. Cost: 1 round trip, 2 for the first append to
 * an item. */
mcp_status mcp_append(mcp_store *store, const mcp_key *key, const mcp_record *record);

/* Continue mcp_append after its first command has been refused, for callers that sent this command themselves. */
mcp_status mcp_append_refused(mcp_store *store, const mcp_key *key, const mcp_record *record);

#endif
