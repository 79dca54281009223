/* The ketama ring computed here, point for point as libmemcached's, for more servers than that takes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ROUTER_KETAMA_H
#define MCP_STORE_ROUTER_KETAMA_H

#include "router.h"

/* Makes a router for 1 to MCP_SERVERS_MAX servers, of weights that libmemcached takes. A pick takes some 200 ns more
 * than a hash of the key; a thousand servers take 1.3 MB and some ten milliseconds once. NULL if memory ran out. */
mcp_router *mcp_router_ketama_create(const mcp_router_server *servers, size_t count);

#endif
