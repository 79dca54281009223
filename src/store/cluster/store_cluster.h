/* Many stores behind the contract of one: each key's calls go to the member its route names, and a
 * get_many asks each member once, and all of them before it reads the first answer where they can. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CLUSTER_H
#define MCP_STORE_CLUSTER_H

#include "key_servers.h"

/* Makes a cluster over members that are borrowed and must outlive it; `pick` returns an index below count.
 * free and disown free the cluster alone, never its members. NULL if memory ran out. */
mcp_store *mcp_store_cluster_create(mcp_store *const *members, size_t count, mcp_cluster_pick pick,
	void *router);

#endif
