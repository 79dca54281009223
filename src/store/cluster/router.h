/* The contract of placement: on which of many servers a key lives. Everything that is asked for it is in
 * memory: a router never connects. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ROUTER_H
#define MCP_STORE_ROUTER_H

#include "route_memo.h"

typedef struct mcp_router mcp_router;

typedef enum mcp_distribution {
	MCP_DISTRIBUTION_MODULO, /* crc32 and modulo, as classic clients: (crc32 >> 16) & 0x7fff */
	MCP_DISTRIBUTION_KETAMA, /* the consistent ring, weighted when weights differ from 1 */
	MCP_DISTRIBUTION_ONE_AT_A_TIME, /* Jenkins' hash and modulo: libmemcached's own default */
} mcp_distribution;

typedef struct mcp_router_server {
	const char *host; /* as the user wrote it: it is what the ring hashes */
	uint16_t port;    /* 0: unix socket */
	uint32_t weight;  /* >= 1 */
} mcp_router_server;

#define MCP_SERVERS_MAX 1000

typedef struct mcp_router_operations {
	/* The index of the server, in the order given to create; the same one for the same route, always. */
	size_t (*pick)(const mcp_router *router, mcp_bytes route);
	void (*free)(mcp_router *router);
} mcp_router_operations;

/* Belongs to one thread: a pick writes the memo. */
struct mcp_router {
	const mcp_router_operations *operations;
	mcp_route_memo memo;
};

/* Picks anew, whatever is remembered. */
static inline size_t mcp_router_reckon(const mcp_router *router, mcp_bytes route) {
	return router->operations->pick(router, route);
}
static inline size_t mcp_router_pick(mcp_router *router, mcp_bytes route) {
	mcp_route_note *note = mcp_route_memo_find(&router->memo, route);
	if (note == NULL) {
		return mcp_router_reckon(router, route);
	}
	if (!mcp_route_note_is_of(note, route)) {
		mcp_route_note_write(note, route, mcp_router_reckon(router, route));
	}
	return note->place;
}
static inline void mcp_router_free(mcp_router *router) {
	router->operations->free(router);
}

#endif
