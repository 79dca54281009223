/* A cluster whose servers stand in for each other: while one does not answer, its keys are asked for at the next
 * candidate. The marked store of each server decides what is suspect, and what the server is told when it comes
 * back. Holds what may be lost and rebuilt, and nothing else: while servers come and go, processes that noticed at
 * different times see a key in different places. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_FAILOVER_H
#define MCP_STORE_STORE_FAILOVER_H

#include "failover_marks.h"

/* Makes it over a cluster whose members are marked stores of these known servers, in their order; both are borrowed and must
 * outlive it. The call that meets a server's failure goes on to the next when it only reads. NULL if there is no
 * memory. */
mcp_store *mcp_store_failover_create(mcp_store *cluster, mcp_server_health *known);

#endif
