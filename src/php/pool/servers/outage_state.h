/* Outages known to this process, per server list: which server is down, since when, and what to delete when it
 * recovers. Outlives the Pools, and is shared by equal lists regardless of transport and timeouts. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_KNOWLEDGE_H
#define MCP_PHP_SERVER_KNOWLEDGE_H

#include "../../../store/failover/server_health.h"
#include "php.h"

/* Entries kept for lists without a set. Beyond that, the one released first is removed, preferably one without an
 * outage. */
#define MCP_SERVER_KNOWLEDGE_IDLE_MAX 64

typedef struct mcp_outage_state mcp_outage_state;

typedef struct mcp_server_knowledge_table {
	HashTable lists; /* key -> mcp_outage_state, persistent */
	uint64_t clock;  /* counts releases */
} mcp_server_knowledge_table;

void php_mcp_outage_state_init(mcp_server_knowledge_table *table);
void php_mcp_outage_state_destroy(mcp_server_knowledge_table *table);

/* Share the entry of `key`, which identifies distribution, addresses, weights and order. The caller must release it. */
mcp_outage_state *php_mcp_outage_state_share(mcp_server_knowledge_table *table, mcp_bytes key,
	size_t count);
void php_mcp_outage_state_let_go(mcp_server_knowledge_table *table, mcp_outage_state *knowledge);

/* Health in this process: a forked child keeps only part of it. Call again after a fork. */
mcp_server_health *php_mcp_outage_state_get(mcp_outage_state *knowledge);

#endif
