/* Wire over libmemcached's text protocol. Only the files named after libmemcached and its guard depend on the
 * library. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_LIBMEMCACHED_H
#define MCP_STORE_WIRE_LIBMEMCACHED_H

#include "../wire.h"

/* Does not connect; the first call does. Copies the settings; the environment is borrowed and must outlive the wire.
 * NULL: memory exhausted. */
mcp_wire *mcp_wire_libmemcached_create(const mcp_wire_settings *settings,
	const mcp_environment *environment);

#endif
