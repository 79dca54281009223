/* Version of the loaded libmemcached. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_LIBMEMCACHED_VERSION_H
#define MCP_STORE_LIBMEMCACHED_VERSION_H

#include <stdbool.h>

/* For example "1.1.4". */
const char *mcp_libmemcached_version(void);
/* A supported version never returns a wrong value after a timeout. */
bool mcp_libmemcached_is_supported(void);

#endif
