/* The placements of classic clients: half of a crc, or the one-at-a-time hash, modulo servers, whatever their weights. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ROUTER_MODULO_H
#define MCP_STORE_ROUTER_MODULO_H

#include "router.h"

/* Makes a router by MCP_DISTRIBUTION_MODULO or MCP_DISTRIBUTION_ONE_AT_A_TIME for 1 to MCP_SERVERS_MAX servers. NULL if memory
 * ran out. */
mcp_router *mcp_router_modulo_create(mcp_distribution distribution, size_t count);

#endif
