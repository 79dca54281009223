/* Lists of servers as users write them, judged once for each thread: applications write the same one in each request,
 * and reading a hundred servers takes a hundred times what finding their text does. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_LISTS_H
#define MCP_PHP_SERVER_LISTS_H

#include "php.h"
#include "parsing/servers.h"

/* So many texts are remembered; then the one goes that was not asked for longest. */
#define MCP_SERVER_LISTS_MAX 64

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

#endif
