/* Store of one server, which handles the server's outages. After an outage, items that were stored before the outage
 * are suspect for the life of this process, and missed deletes are sent before any other request. Until the first
 * outage, no additional requests are sent. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_FAILOVER_FAILOVER_MARKS_H
#define MCP_STORE_FAILOVER_FAILOVER_MARKS_H

#include "server_health.h"

/* Creates the store of one server of `known`. `known` must outlive the store, which has no inner store yet. NULL:
 * memory exhausted.
 * - Freeing the store does not free the inner store.
 * - The store's CAS values name the server and the server's life (see failover_marks.c). A CAS value of another server,
 *   or from before an outage, gives MCP_EXISTS without a request.
 * - `waits`: the server stays down while a late write of this process is possible. */
mcp_store *mcp_failover_marks_create(mcp_server_health *known, size_t index, bool waits);

/* Sets the inner store, borrowed. Call this before the first use, and whenever the inner store has been replaced. */
void mcp_failover_marks_aim(mcp_store *store, mcp_store *inner);

size_t mcp_failover_marks_index(mcp_store *store);

/* Returns true if the server may be used now. Sends the requests that the server's recovery needs. Views remain
 * valid. */
bool mcp_failover_marks_arrive(mcp_store *store);
bool mcp_failover_marks_stand_in(mcp_store *store, size_t home);
/* Checks whether an item that was read for a key of another server, `home`, is suspect. False: the connection was lost
 * meanwhile; read again. */
bool mcp_failover_marks_judge_for(mcp_store *store, size_t home, mcp_item *item);

#endif
