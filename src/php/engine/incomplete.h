/* Tells whether what was just unserialized has objects of classes that are not there: a value like that is
 * unreadable (C9), wherever in it they stand. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INCOMPLETE_H
#define MCP_PHP_INCOMPLETE_H

#include <stdbool.h>

/* At start-up and at its end. */
void php_mcp_incomplete_register(void);
void php_mcp_incomplete_unregister(void);

/* Whether the function that is running has itself made such an object since it last asked. What user code
 * unserializes meanwhile (a __wakeup, another Fiber) is its own business. */
bool php_mcp_incomplete_was_made(void);

/* At request end: after a fatal error nothing has asked. */
void php_mcp_incomplete_reset(void);

#endif
