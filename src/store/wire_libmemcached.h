/* A store on one memcached server, by libmemcached's text protocol. Nothing outside the two files named
 * after it knows that libmemcached exists. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_LIBMEMCACHED_H
#define MCP_STORE_WIRE_LIBMEMCACHED_H

#include "store.h"

typedef struct mcp_server_settings {
	const char *host;            /* a name or address; a path when port is 0 (unix socket) */
	uint16_t port;               /* 0: unix socket */
	uint32_t connect_timeout_ms; /* > 0 */
	uint32_t timeout_ms;         /* > 0, for each reply */
	uint32_t retry_after_ms;     /* the breaker's pause */
} mcp_server_settings;

/* Connects at the first call, never here. Copies what it needs; the environment is borrowed and must
 * outlive the store. NULL when memory ran out. */
mcp_store *mcp_store_libmemcached_create(const mcp_server_settings *settings,
	const mcp_environment *environment);

/* "1.1.4", and whether it is at least the version that returns no wrong value after a timeout. */
const char *mcp_libmemcached_version(void);
bool mcp_libmemcached_is_supported(void);

#endif
