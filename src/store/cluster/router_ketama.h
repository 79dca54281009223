/* The ketama ring, point for point as libmemcached computes it, and with it every client that is built on it: the same key
 * is on the same server for all of them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ROUTER_KETAMA_H
#define MCP_STORE_ROUTER_KETAMA_H

#include "router.h"

/* Makes a router for 1 to MCP_SERVERS_MAX servers; libmemcached takes a hundred at most, and above it the ring goes on as
 * below. A route that is not remembered takes an MD5 and a look at a few points; a thousand servers take 1.6 MB and some
 * ten milliseconds once. NULL if memory ran out. */
mcp_router *mcp_router_ketama_create(const mcp_router_server *servers, size_t count);

#endif
