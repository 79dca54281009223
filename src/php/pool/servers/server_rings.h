/* Where each key goes on a list of servers, computed once for all sets of a thread that have the same list. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_RINGS_H
#define MCP_PHP_SERVER_RINGS_H

#include "../../../store/cluster/router.h"
#include "php.h"
#include "parsing/servers.h"

typedef struct mcp_server_ring {
	mcp_router *router;
	uint32_t users;
	size_t key_length;
	char key[];
} mcp_server_ring;

/* The name that a setting has for a distribution. The second finds the distribution of a name; false if there is none. */
const char *php_mcp_server_rings_name(mcp_distribution distribution);
bool php_mcp_server_rings_find(const char *name, mcp_distribution *distribution);

void php_mcp_server_rings_init(HashTable *rings);

/* Shares the ring of `key`, which tells distribution, addresses, weights and their order apart. To be let go. */
mcp_server_ring *php_mcp_server_rings_share(HashTable *rings, mcp_bytes key,
	mcp_distribution distribution, const mcp_server_list *list);
void php_mcp_server_rings_let_go(HashTable *rings, mcp_server_ring *ring);

#endif
