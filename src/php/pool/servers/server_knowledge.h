/* The knowledge that this process has of the servers of a list: which is away, since when, and what it is to delete
 * when it is back. It outlives the Pools that learnt it, and is common to all whose lists are equal, whatever their
 * transport and timeouts. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_KNOWLEDGE_H
#define MCP_PHP_SERVER_KNOWLEDGE_H

#include "../../../store/failover/known_servers.h"
#include "php.h"

/* The lists that it is kept of beyond those that have a set, in use or kept itself; then the one goes that was given
 * back first, and one of a list of which no server was ever away before all others. */
#define MCP_SERVER_KNOWLEDGE_IDLE_MAX 64

typedef struct mcp_server_knowledge mcp_server_knowledge;

typedef struct mcp_server_knowledge_table {
	HashTable lists; /* key -> mcp_server_knowledge, persistent */
	uint64_t clock;  /* counts what was given back */
} mcp_server_knowledge_table;

void php_mcp_server_knowledge_init(mcp_server_knowledge_table *table);
void php_mcp_server_knowledge_destroy(mcp_server_knowledge_table *table);

/* Shares the knowledge of `key`, which tells distribution, addresses, weights and their order apart. To be let go. */
mcp_server_knowledge *php_mcp_server_knowledge_share(mcp_server_knowledge_table *table,
	mcp_bytes key, size_t count);
void php_mcp_server_knowledge_let_go(mcp_server_knowledge_table *table,
	mcp_server_knowledge *knowledge);

/* Returns that of this process: the child of a fork has but what it may keep. Ask again after a fork. */
mcp_known_servers *php_mcp_server_knowledge_get(mcp_server_knowledge *knowledge);

#endif
