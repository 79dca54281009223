/* A wire by libmemcached's text protocol. Nothing outside the files named after libmemcached, and the guard
 * that this one raises, knows that it exists. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_LIBMEMCACHED_H
#define MCP_STORE_WIRE_LIBMEMCACHED_H

#include "../wire.h"

/* Connects at the first call, never here. Copies what it needs; the environment is borrowed and must
 * outlive the wire. NULL if memory ran out. */
mcp_wire *mcp_wire_libmemcached_create(const mcp_wire_settings *settings,
	const mcp_environment *environment);

#endif
