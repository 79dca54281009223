/* The way to show servers who asks, and to know them: a password, and options of TLS. Counted by the connections that are
 * made by it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_ACCESS_H
#define MCP_PHP_SERVER_ACCESS_H

#include "../../../store/wire/direct/channel.h"
#include "../../tls/tls_options.h"
#include "parsing/server.h"

#define MCP_ACCESS_FINGERPRINT_LENGTH 32

/* malloc'ed. */
typedef struct mcp_server_access {
	uint32_t users;
	mcp_server_secret secret; /* for servers without one of their own */
	mcp_tls_options tls;
	/* Tells it apart from all others, and nobody can find one that has the same. */
	unsigned char fingerprint[MCP_ACCESS_FINGERPRINT_LENGTH];
} mcp_server_access;

/* Takes the options over. The caller is its first user. NULL if there is nothing to keep. */
mcp_server_access *php_mcp_server_access_create(const mcp_server_secret *secret,
	mcp_tls_options *tls);
/* Counts one more; NULL is none, here and below. */
mcp_server_access *php_mcp_server_access_share(mcp_server_access *access);
void php_mcp_server_access_free(mcp_server_access *access);

/* Creates what carries to a host by TLS; `access` must outlive it. Whoever it is given to frees it. */
mcp_channel php_mcp_server_access_carrier(const mcp_server_access *access, const char *host);

#endif
