/* Writes whose outcome must be known: when the answer does not come, the item is read back and
 * compared. Works for records that no other call would write, because they hold a random token. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SETTLE_H
#define MCP_PATTERNS_SETTLE_H

#include "../store/store.h"

/* All leave MCP_UNKNOWN only when the server cannot be asked, or answers no write. */

/* Adds until it is known: MCP_OK: this record is stored. MCP_NOT_STORED: another's is. Sent twice at most, and
 * takes effect once: a token's second `add` fails when the first one arrived after all. A failure other than
 * MCP_UNKNOWN is of the first: nothing was left. */
mcp_status mcp_resolve_add(mcp_store *store, const mcp_key *key, const mcp_record *record);

/* Settles likewise an add that was sent, whose answer was `status`. */
mcp_status mcp_resolve_added(mcp_store *store, const mcp_key *key, const mcp_record *record,
	mcp_status status);

/* Swaps: MCP_OK, MCP_NOT_FOUND, or MCP_EXISTS: it is not stored, or not yet; look at what is there and decide
 * again. Sent once. */
mcp_status mcp_resolve_cas(mcp_store *store, const mcp_key *key, const mcp_record *record,
	uint64_t cas);

#endif
