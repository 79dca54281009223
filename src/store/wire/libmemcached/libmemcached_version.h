/* Which libmemcached is loaded. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_LIBMEMCACHED_VERSION_H
#define MCP_STORE_LIBMEMCACHED_VERSION_H

#include <stdbool.h>

/* "1.1.4", and whether it is at least the version that returns no wrong value after a timeout. */
const char *mcp_libmemcached_version(void);
bool mcp_libmemcached_is_supported(void);

#endif
