/* The placement of keys that libmemcached computes, for those of our own to be held to. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_ROUTER_LIBMEMCACHED_H
#define MCP_TESTS_ROUTER_LIBMEMCACHED_H

#include "../../src/store/cluster/router.h"

/* libmemcached aborts above this on a ketama ring (measured). */
#define MCP_ROUTER_LIBMEMCACHED_RING_MAX 100

/* Makes a router for 1 to MCP_SERVERS_MAX servers, on a ring so many as above. A pick takes 50 to 240 ns. NULL
 * if memory ran out. */
mcp_router *mcp_router_libmemcached_create(const mcp_router_server *servers, size_t count,
	mcp_distribution distribution);

#endif
