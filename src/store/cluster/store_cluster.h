/* Many stores behind the contract of one store: each key belongs to the member that its route selects. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CLUSTER_STORE_CLUSTER_H
#define MCP_STORE_CLUSTER_STORE_CLUSTER_H

#include "../store.h"

/* Candidates of a key: its own store, then the other stores in an order that hashes of the key's route determine. The
 * keys of a server that is down are therefore distributed over all other servers. */

/* Returns the index of a route's server in the list. */
typedef size_t (*mcp_cluster_pick)(void *router, mcp_bytes route);

/* Creates a cluster. The members are borrowed and must outlive the cluster; `pick` must return an index below `count`.
 * free and disown do not affect the members. NULL: memory exhausted. */
mcp_store *mcp_store_cluster_create(mcp_store *const *members, size_t count, mcp_cluster_pick pick,
	void *router);

#endif
