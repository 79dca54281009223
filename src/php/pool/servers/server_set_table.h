/* Keeps server lists and their hash rings per thread: a ring depends only on the list, and takes most of a set's
 * memory and setup time. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_SERVERS_SERVER_SET_TABLE_H
#define MCP_PHP_POOL_SERVERS_SERVER_SET_TABLE_H

#include "outage_state.h"
#include "parsing/server.h"
#include "php.h"

/* Requirements of a list for its transport. */
typedef struct mcp_server_list_needs {
	bool tls, secret;
	bool discovery; /* its one server is a discovery endpoint */
} mcp_server_list_needs;

typedef struct mcp_server_list_table {
	HashTable texts; /* written text -> name, persistent */
	uint64_t clock;  /* counts lookups */
} mcp_server_list_table;

void php_mcp_server_lists_init(mcp_server_list_table *table);
void php_mcp_server_lists_destroy(mcp_server_list_table *table);

/* Name a list: equal for all texts with the same servers and weights in the same order. Returns NULL with a name to
 * release, or the mistake of php_mcp_servers_parse(). Caches valid texts, which repeat in each request. The name
 * contains passwords. */
zend_string *php_mcp_server_lists_name(mcp_server_list_table *table,
	const mcp_written_servers *written, zend_string **name, mcp_server_list_needs *needs);

/* Sets kept without a Pool for the next request. Beyond that, the one released first is removed. With 50 servers
 * each takes at most 390 KiB. */
#define MCP_SERVER_SETS_IDLE_MAX 64

typedef struct mcp_server_set_table {
	HashTable sets;  /* key -> mcp_server_set, persistent */
	HashTable rings; /* key -> mcp_server_ring, persistent */
	mcp_server_knowledge_table knowledge;
	mcp_server_list_table lists;
	size_t idle;    /* sets without a Pool */
	uint64_t clock; /* counts releases */
} mcp_server_set_table;

/* Hash the text in place as a key for long texts, at a tenth of the time of PHP's byte-wise function. A table with
 * such keys must have no others. */
zend_string *php_mcp_long_key_hash(zend_string *text);

/* Add a new key to a persistent table, which keeps a copy of the key. */
void php_mcp_long_key_add(HashTable *table, const zend_string *key, void *entry);

#endif
