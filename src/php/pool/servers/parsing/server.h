/* A server as a user writes it: 'host:port', 'host:port:weight', 'host', '[::1]:11211', any of these behind 'tcp://',
 * 'memcached://' or 'tls://', 'unix:///path' or 'memory://name'; or the endpoint that tells a list,
 * 'discover://host:port'. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_H
#define MCP_PHP_SERVER_H

#include "../../../../core/bytes.h"
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

/* Reads one. NULL, or the mistake in words that follow "must ", quoting the offending part; the caller releases it. */
zend_string *php_mcp_server_read(mcp_server *server, mcp_bytes text);

#endif
