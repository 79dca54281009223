/* The other classes' view of McPatterns\Pool: its class entry, and the way from an object to the mcp_pool
 * behind it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_CLASS_POOL_H
#define MCP_PHP_POOL_CLASS_POOL_H

#include "pool.h"

extern zend_class_entry *php_mcp_pool_class_entry;

/* Returns the pool, borrowed from the object: take a reference with php_mcp_pool_addref to keep it. NULL with
 * an Error thrown if the object was never constructed. */
mcp_pool *php_mcp_class_pool_get(zend_object *object);

/* Returns the pool of the mcpatterns.* settings, as Pool::default(): one per request while they stay the same.
 * Borrowed. NULL with a ValueError when a setting is wrong. */
mcp_pool *php_mcp_class_pool_default(void);
/* Releases it at request end, while objects can still be released; and when a setting has changed. */
void php_mcp_class_pool_release_default(void);

#endif
