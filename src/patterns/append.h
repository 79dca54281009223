/* Adding to the end of an item that is made when it is not there: for every class whose items many processes append
 * to at once (EventLog, MemberSet, UniqueVisitors). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_APPEND_H
#define MCP_PATTERNS_APPEND_H

#include "../store/store.h"

/* Appends record->body; where nothing is, adds head and body with the record's TTL; where that is lost to another
 * process, appends once more. Never longer than these three: memcached refuses an append in the same words where
 * nothing is and where the whole would be too large, so that a loop would not end on an item that is full.
 * MCP_OK; MCP_NOT_STORED: refused three times, so it does not fit, or the server has no memory for it;
 * MCP_TOO_LARGE: it would not fit into an empty item; a failure, of which MCP_UNKNOWN may have been done, and is
 * not sent again. 1 round trip; 2 for the first of an item. */
mcp_status mcp_append(mcp_store *store, const mcp_key *key, const mcp_record *record);

/* Goes on where mcp_append's first append was refused, for a caller that wants to know of it. */
mcp_status mcp_append_refused(mcp_store *store, const mcp_key *key, const mcp_record *record);

#endif
