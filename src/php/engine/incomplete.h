/* Detects objects of missing classes in unserialized values, which makes a value unreadable (C9). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INCOMPLETE_H
#define MCP_PHP_INCOMPLETE_H

#include <stdbool.h>

/* Register at start-up, unregister at the end. */
void php_mcp_incomplete_register(void);
void php_mcp_incomplete_unregister(void);

/* True if the running function itself has created an incomplete object since the last call. Ignores unserialize() in
 * user code (a __wakeup, another Fiber). */
bool php_mcp_incomplete_was_made(void);

#endif
