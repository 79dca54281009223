/* Writes whose outcome must be known: without a reply, the item is read back and compared. Requires records
 * that are unique by a random token. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SETTLE_H
#define MCP_PATTERNS_SETTLE_H

#include "../store/store.h"

/* MCP_UNKNOWN only if the server cannot be reached, or does not reply to writes. */

/* Add until the outcome is known. MCP_OK: this record is stored. MCP_NOT_STORED: another one is.
 * Sent at most twice, takes effect once: the second `add` fails if the first one has arrived. Failures other
 * than MCP_UNKNOWN are of the first add: nothing is stored. */
mcp_status mcp_resolve_add(mcp_store *store, const mcp_key *key, const mcp_record *record);

/* Resolve an add that returned `status`. */
mcp_status mcp_resolve_added(mcp_store *store, const mcp_key *key, const mcp_record *record,
	mcp_status status);

/* MCP_OK. MCP_NOT_FOUND. MCP_EXISTS: not stored, or not yet: read the item and decide again. Sent once. */
mcp_status mcp_resolve_cas(mcp_store *store, const mcp_key *key, const mcp_record *record,
	uint64_t cas);

#endif
