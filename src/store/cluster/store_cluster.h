/* Many stores behind the contract of one: each key's calls go to the member its route names, and a
 * get_many asks each member once, and all of them before it reads the first answer where they can. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CLUSTER_STORE_CLUSTER_H
#define MCP_STORE_CLUSTER_STORE_CLUSTER_H

#include "../store.h"

/* In which order the stores of a cluster stand in for each other: the one where a key lives, then the others as
 * hashes of its route pick them, so that the keys of one that is gone spread over all that are left. */

/* The index of the server that a route names, in the order of the list. */
typedef size_t (*mcp_cluster_pick)(void *router, mcp_bytes route);

/* Makes a cluster over members that are borrowed and must outlive it; `pick` returns an index below count.
 * free and disown free the cluster alone, never its members. NULL if memory ran out. */
mcp_store *mcp_store_cluster_create(mcp_store *const *members, size_t count, mcp_cluster_pick pick,
	void *router);

#endif
