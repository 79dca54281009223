/* Statistics by libmemcached, which reads the server's version before them into its own handle: a long answer overwrites
 * the functions that it allocates by. So only where no other connection is to be had. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_STATISTICS_H
#define MCP_STORE_WIRE_STATISTICS_H

#include "../wire.h"

#include <libmemcached/memcached.h>

/* Returns MEMCACHED_UNKNOWN_READ_FAILURE if `line` has had enough; MEMCACHED_INVALID_ARGUMENTS: a peer that does not
 * know the command. */
memcached_return_t mcp_wire_statistics_read(memcached_st *handle, const char *kind,
	mcp_wire_line line, void *context);

#endif
