/* A cluster with failover: while a server is down, its keys are served by the next candidate. The marked store of each
 * server decides which items are suspect and which deletes a recovered server gets. Use failover only for data that can
 * be lost: processes that notice an outage at different times use different servers for a key. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_STORE_FAILOVER_H
#define MCP_STORE_STORE_FAILOVER_H

#include "failover_marks.h"

/* Creates the store over a cluster whose members are the marked stores of `known`, in the same order. The cluster and
 * `known` are borrowed and must outlive the store. If a read fails, the store continues with the next candidate. NULL:
 * memory exhausted. */
mcp_store *mcp_store_failover_create(mcp_store *cluster, mcp_server_health *known);

#endif
