/* Which libmemcached is loaded. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_LIBMEMCACHED_VERSION_H
#define MCP_STORE_LIBMEMCACHED_VERSION_H

#include <stdbool.h>

/* Returns "1.1.4"; the next says whether it is at least the version that returns no wrong value after a timeout. */
const char *mcp_libmemcached_version(void);
bool mcp_libmemcached_is_supported(void);

#endif
