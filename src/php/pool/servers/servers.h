/* Reads what a user writes for servers: 'host:port', 'host:port:weight', 'host', '[::1]:11211',
 * any of these behind 'tcp://', 'memcached://' or 'tls://', 'unix:///path', 'memory://name', a list of them, or one
 * string with commas; or the one endpoint that tells a list, 'discover://host:port'. Touches no network. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVERS_H
#define MCP_PHP_SERVERS_H

#include "../../../core/bytes.h"
#include "host.h"
#include "php.h"
#include "server_secret.h"

#define MCP_SERVER_ADDRESS_MAX (MCP_HOST_MAX + 16)

typedef enum mcp_server_kind {
	MCP_SERVER_TCP,
	MCP_SERVER_UNIX,
	MCP_SERVER_MEMORY,
} mcp_server_kind;

/* Plain data: may be copied anywhere. */
typedef struct mcp_server {
	mcp_server_kind kind;
	bool is_tls;                              /* of TCP alone */
	bool is_discovery;                        /* of TCP alone: it tells the servers, and is none */
	uint16_t port;                            /* 0 unless TCP */
	uint32_t weight;                          /* >= 1 */
	char host[MCP_HOST_MAX + 1];              /* a name or address, a path, or a memory name */
	char address[MCP_SERVER_ADDRESS_MAX + 1]; /* "host:port", "unix:///path", "memory://name" */
	mcp_server_secret secret;                 /* written before it */
} mcp_server;

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
