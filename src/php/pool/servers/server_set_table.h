/* The lists of servers that a thread keeps, and the rings that they share: where each key goes depends on the list
 * alone, and takes most of the memory and time of a set. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_SET_TABLE_H
#define MCP_PHP_SERVER_SET_TABLE_H

#include "php.h"
#include "outage_state.h"
#include "server_lists.h"

/* Sets that no Pool has are kept up to this number, for the next request; then the one goes that was given back
 * first. With 50 servers each takes 390 KiB at most. */
#define MCP_SERVER_SETS_IDLE_MAX 64

typedef struct mcp_server_set_table {
	HashTable sets;  /* key -> mcp_server_set, persistent */
	HashTable rings; /* key -> mcp_server_ring, persistent */
	mcp_server_knowledge_table knowledge;
	mcp_server_list_table lists;
	size_t idle;    /* sets that no Pool has */
	uint64_t clock; /* counts sets that were given back */
} mcp_server_set_table;

#endif
