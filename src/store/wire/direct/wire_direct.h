/* Built-in wire: one socket, memcached's text protocol. Uses no library, bounds each whole reply and tolerates any
 * reply. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_H
#define MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_H

#include "../wire.h"
#include "wire_direct_line.h"

/* Does not connect; the wire's first call connects. Copies the settings; the environment is borrowed and must outlive
 * the wire. NULL: memory exhausted. */
mcp_wire *mcp_wire_direct_create(const mcp_wire_settings *settings,
	const mcp_environment *environment);

#endif
