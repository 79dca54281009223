/* The placement of classic clients: half of a crc, modulo servers, whatever their weights. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_ROUTER_MODULO_H
#define MCP_STORE_ROUTER_MODULO_H

#include "router.h"

/* Makes a router for 1 to MCP_SERVERS_MAX servers. NULL if memory ran out. */
mcp_router *mcp_router_modulo_create(size_t count);

#endif
