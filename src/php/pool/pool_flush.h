/* Pool::flush(): what is kept of the servers' keys elsewhere ends with them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_FLUSH_H
#define MCP_PHP_POOL_FLUSH_H

#include "pool.h"

/* Ends what the thread keeps of the keys on this Pool's servers, which have been emptied. Throws nothing, and runs no user
 * code. */
typedef void (*mcp_flush_ending)(mcp_pool *pool);

/* Registers, at start-up, what ends then. */
void php_mcp_pool_flush_register(mcp_flush_ending ending);

/* Empties the servers. False if one of them could not be told. */
bool php_mcp_pool_flush(mcp_pool *pool);

#endif
