/* A store on one memcached server, by libmemcached's text protocol, and the placement of keys on
 * many. Nothing outside store_libmemcached.c knows that libmemcached exists. */
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

typedef struct mcp_router mcp_router;

typedef enum mcp_distribution {
	MCP_DISTRIBUTION_MODULO, /* crc32 and modulo, as classic clients: (crc32 >> 16) & 0x7fff */
	MCP_DISTRIBUTION_KETAMA, /* the consistent ring, weighted when weights differ from 1 */
} mcp_distribution;

typedef struct mcp_router_server {
	const char *host; /* as the user wrote it: it is what the ring hashes */
	uint16_t port;    /* 0: unix socket */
	uint32_t weight;  /* >= 1 */
} mcp_router_server;

#define MCP_SERVERS_MAX 100 /* libmemcached aborts above this on a ketama ring (measured) */

/* Never connects. 1 to MCP_SERVERS_MAX servers. NULL when memory ran out. */
mcp_router *mcp_router_create(const mcp_router_server *servers, size_t count,
	mcp_distribution distribution);
/* The index of the server, in the order given to create. 50 to 240 ns. */
size_t mcp_router_pick(mcp_router *router, mcp_bytes route);
void mcp_router_free(mcp_router *router);

/* "1.1.4", and whether it is at least the version that returns no wrong value after a timeout. */
const char *mcp_libmemcached_version(void);
bool mcp_libmemcached_is_supported(void);

#endif
