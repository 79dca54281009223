/* Wire over libmemcached's text protocol. Only the files of this directory depend on the library. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_LIBMEMCACHED_H
#define MCP_STORE_WIRE_LIBMEMCACHED_H

#include "../wire.h"

/* Does not connect; the wire's first call connects. Copies the settings; the environment is borrowed and must outlive
 * the wire. NULL: memory exhausted. */
mcp_wire *mcp_wire_libmemcached_create(const mcp_wire_settings *settings,
	const mcp_environment *environment);

#endif
