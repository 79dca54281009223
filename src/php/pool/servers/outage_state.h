/* The knowledge that this process has of the servers of a list: which is away, since when, and what it is to delete
 * when it is back. It outlives the Pools that learnt it, and is common to all whose lists are equal, whatever their
 * transport and timeouts. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_KNOWLEDGE_H
#define MCP_PHP_SERVER_KNOWLEDGE_H

#include "../../../store/failover/server_health.h"
#include "php.h"

/* The lists that it is kept of beyond those that have a set, in use or kept itself; then the one goes that was given
 * back first, and one of a list of which no server was ever away before all others. */
#define MCP_SERVER_KNOWLEDGE_IDLE_MAX 64

typedef struct mcp_outage_state mcp_outage_state;

typedef struct mcp_server_knowledge_table {
	HashTable lists; /* key -> mcp_outage_state, persistent */
	uint64_t clock;  /* counts what was given back */
} mcp_server_knowledge_table;

void php_mcp_outage_state_init(mcp_server_knowledge_table *table);
void php_mcp_outage_state_destroy(mcp_server_knowledge_table *table);

/* Shares the knowledge of `key`, which tells distribution, addresses, weights and their order apart. To be let go. */
mcp_outage_state *php_mcp_outage_state_share(mcp_server_knowledge_table *table, mcp_bytes key,
	size_t count);
void php_mcp_outage_state_let_go(mcp_server_knowledge_table *table, mcp_outage_state *knowledge);

/* Returns that of this process: the child of a fork has but what it may keep. Ask again after a fork. */
mcp_server_health *php_mcp_outage_state_get(mcp_outage_state *knowledge);

#endif
