/* One server's store as this process came to it: what the server held before it was away is suspect, for as long
 * as this process lives, and what it missed it is told before it is asked for anything else. While it has never
 * been away it is asked for what the caller asks, and nothing else. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_FAILOVER_FAILOVER_MARKS_H
#define MCP_STORE_FAILOVER_FAILOVER_MARKS_H

#include "server_health.h"

/* Makes a store of one of the known servers, which must outlive it. Aims at no store yet. NULL if there is no
 * memory. Freeing it leaves alone what it aims at. Its cas ids name the server and its life: one from before an
 * outage, or from another server, is MCP_EXISTS, and nothing is sent. `waits`: as in failover_marks.h. */
mcp_store *mcp_failover_marks_create(mcp_server_health *known, size_t index, bool waits);

/* Aims at `inner`, which is borrowed. Comes before the first call, and whenever the inner store was replaced:
 * then the connection is another one. */
void mcp_failover_marks_aim(mcp_store *store, mcp_store *inner);

size_t mcp_failover_marks_index(mcp_store *store);

/* Arrives as failover_marks.h says. */
bool mcp_failover_marks_arrive(mcp_store *store);
bool mcp_failover_marks_stand_in(mcp_store *store, size_t home);
/* Judges what was read from it for keys of another server. False if the connection was lost meanwhile: read again. */
bool mcp_failover_marks_judge_for(mcp_store *store, size_t home, mcp_item *item);

#endif
