/* Credentials for servers: a password and TLS options. Counted by the connections that use them. */
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
	mcp_server_secret secret; /* for servers without their own */
	mcp_tls_options tls;
	/* Identifies the credentials. Cryptographic, so that no user can find a collision. */
	unsigned char fingerprint[MCP_ACCESS_FINGERPRINT_LENGTH];
} mcp_server_access;

/* Create with the options, whose ownership is transferred. The caller is the first user. Returns NULL if there is
 * nothing to keep. */
mcp_server_access *php_mcp_server_access_create(const mcp_server_secret *secret,
	mcp_tls_options *tls);
/* Add a user. NULL is allowed, here and below. */
mcp_server_access *php_mcp_server_access_share(mcp_server_access *access);
void php_mcp_server_access_free(mcp_server_access *access);

/* Create a TLS channel to a host. `access` must outlive it. The owner of the channel frees it. */
mcp_channel php_mcp_server_access_carrier(const mcp_server_access *access, const char *host);

#endif
