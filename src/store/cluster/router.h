/* The contract of placement: on which of many servers a key lives. Everything that is asked for it is in
 * memory: a router never connects. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ROUTER_H
#define MCP_STORE_ROUTER_H

#include "../../core/bytes.h"

#include <stdint.h>

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

#define MCP_SERVERS_MAX 1000

typedef struct mcp_router_operations {
	/* The index of the server, in the order given to create. */
	size_t (*pick)(mcp_router *router, mcp_bytes route);
	void (*free)(mcp_router *router);
} mcp_router_operations;

struct mcp_router {
	const mcp_router_operations *operations;
};

static inline size_t mcp_router_pick(mcp_router *router, mcp_bytes route) {
	return router->operations->pick(router, route);
}
static inline void mcp_router_free(mcp_router *router) {
	router->operations->free(router);
}

#endif
