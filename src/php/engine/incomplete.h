/* Tells whether what was just unserialized has objects of classes that are not there: a value like that is
 * unreadable (C9), wherever in it they stand. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INCOMPLETE_H
#define MCP_PHP_INCOMPLETE_H

#include <stdbool.h>

/* Registers at start-up; the next takes that back at the end. */
void php_mcp_incomplete_register(void);
void php_mcp_incomplete_unregister(void);

/* Says whether the function that is running has itself made such an object since it last asked. User code's own
 * unserializing meanwhile (in a __wakeup, in another Fiber) is its own business. */
bool php_mcp_incomplete_was_made(void);

#endif
