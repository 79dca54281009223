/* Credentials for servers: a password and TLS options. Each connection that uses them is counted as a user. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_ACCESS_H
#define MCP_PHP_SERVER_ACCESS_H

#include "../../../store/wire/socket.h"
#include "../../engine/user.h"
#include "../../objects/enums.h"
#include "../../tls/tls_options.h"
#include "parsing/server.h"

#define MCP_ACCESS_FINGERPRINT_LENGTH 32

/* malloc'ed. */
typedef struct mcp_server_access {
	uint32_t users;
	mcp_server_secret secret; /* user and password of servers without their own */
	mcp_tls_options tls;
	/* Identifies the credentials. Cryptographic, so that no user can find a collision. */
	unsigned char fingerprint[MCP_ACCESS_FINGERPRINT_LENGTH];
} mcp_server_access;

/* Options of a server's connection. Plain data. */
typedef struct mcp_connection_settings {
	mcp_transport transport;
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	mcp_user user;             /* user of the request: another user can lack access to the socket */
	mcp_server_access *access; /* borrowed unless its owner says otherwise; NULL: none */
} mcp_connection_settings;

/* Create credentials. Takes over the options. The caller is the first user. Returns NULL if there are no
 * credentials. */
mcp_server_access *php_mcp_server_access_create(const mcp_server_secret *secret,
	mcp_tls_options *tls);
/* Remove a user. NULL is allowed, also in the next function. */
void php_mcp_server_access_free(mcp_server_access *access);

/* Create a TLS channel to a host. `access` must outlive the channel. The owner of the channel frees it. */
mcp_channel php_mcp_server_access_carrier(const mcp_server_access *access, const char *host);

#endif
