/* The lists of servers that a thread keeps, and the rings that they share: where each key goes depends on the list
 * alone, and takes most of the memory and time of a set. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_SERVERS_SERVER_SET_TABLE_H
#define MCP_PHP_POOL_SERVERS_SERVER_SET_TABLE_H

#include "outage_state.h"
#include "parsing/server.h"
#include "php.h"

/* Lists of servers as users write them, judged once for each thread: applications write the same one in each request,
 * and reading a hundred servers takes a hundred times what finding their text does. */

/* The needs of a list, beyond what every transport has. */
typedef struct mcp_server_list_needs {
	bool tls, secret;
	bool discovery; /* its one server is an endpoint that tells the list */
} mcp_server_list_needs;

typedef struct mcp_server_list_table {
	HashTable texts; /* what was written -> its name, persistent */
	uint64_t clock;  /* counts questions */
} mcp_server_list_table;

void php_mcp_server_lists_init(mcp_server_list_table *table);
void php_mcp_server_lists_destroy(mcp_server_list_table *table);

/* Names a list: what is one for all texts of the same servers with the same weights in the same order, and of no
 * others. NULL if it was named (release it), otherwise the mistake, as php_mcp_servers_parse tells it. Nothing that has a
 * mistake is remembered. The name has the servers' passwords in it. */
zend_string *php_mcp_server_lists_name(mcp_server_list_table *table,
	const mcp_written_servers *written, zend_string **name, mcp_server_list_needs *needs);

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

/* Keys of PHP's hash tables that may have thousands of bytes, as lists of servers do: hashed at a tenth of what PHP's own
 * function takes, which reads byte by byte. A table that has such keys has no others. */

/* Makes the caller's own text a key, and returns it. */
zend_string *php_mcp_long_key_hash(zend_string *text);

/* Adds to a persistent table, which has no such key yet, and keeps a copy of the key. */
void php_mcp_long_key_add(HashTable *table, const zend_string *key, void *entry);

#endif
