/* In which order the stores of a cluster stand in for each other: the one where a key lives, then the others as
 * hashes of its route pick them, so that the keys of one that is gone spread over all that are left. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CANDIDATES_H
#define MCP_STORE_CANDIDATES_H

#include "../store.h"

/* The index of the server that a route names, in the order of the list. */
typedef size_t (*mcp_cluster_pick)(void *router, mcp_bytes route);

/* Every store counts once, however often it is listed. The finding for the last key is kept: a caller asks for
 * one after the other. */
typedef struct mcp_key_servers {
	mcp_cluster_pick pick;
	void *router;
	mcp_store *const *listed; /* what `pick` chooses from; borrowed */
	mcp_store **different;    /* in the list's order */
	size_t count;             /* of these */
	uint32_t *numbers;        /* of each that is listed, which of the different ones it is */
	mcp_store **found;        /* of the last key; as many as `different` at most */
	size_t found_count;
	uint64_t found_for; /* the hash of its route */
	unsigned picks;     /* that were made for it */
} mcp_key_servers;

/* False if there is no memory; then there is nothing to free. */
bool mcp_key_servers_init(mcp_key_servers *candidates, mcp_store *const *listed, size_t count,
	mcp_cluster_pick pick, void *router);
void mcp_key_servers_free(mcp_key_servers *candidates);

/* NULL if there are not as many. */
mcp_store *mcp_key_servers_find(mcp_key_servers *candidates, mcp_bytes route, size_t index);

#endif
