/* A wire of our own: one socket, memcached's text protocol. It knows no library, bounds each answer as a whole and
 * survives whatever a server sends. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_H
#define MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_H

#include "../wire.h"
#include "wire_direct_line.h"

/* Connects at the first call, never here. Copies what it needs; the environment is borrowed and must
 * outlive the wire. NULL if memory ran out. */
mcp_wire *mcp_wire_direct_create(const mcp_wire_settings *settings,
	const mcp_environment *environment);

#endif
