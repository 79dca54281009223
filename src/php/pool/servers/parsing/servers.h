/* Reads lists of servers: several texts, one string with commas, or the one endpoint that tells a list. Touches no network. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVERS_H
#define MCP_PHP_SERVERS_H

#include "../../../../core/bytes.h"
#include "php.h"
#include "server.h"

typedef struct mcp_server_list {
	mcp_server *servers; /* emalloc */
	size_t count;
} mcp_server_list;

/* A user's own words, borrowed: a list of texts or, where that is NULL, one text. */
typedef struct mcp_written_servers {
	HashTable *texts;
	mcp_bytes text;
} mcp_written_servers;

/* Returns NULL if the list was filled (free it with php_mcp_servers_free), otherwise the mistake in words that follow
 * "must ", quoting the offending part; the caller releases it. Takes time by the number of servers alone. */
zend_string *php_mcp_servers_parse(mcp_server_list *list, const mcp_written_servers *written);
void php_mcp_servers_free(mcp_server_list *list);

#endif
