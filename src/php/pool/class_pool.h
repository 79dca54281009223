/* The class entry of McPatterns\Pool, and access from an object to its mcp_pool. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_CLASS_POOL_H
#define MCP_PHP_POOL_CLASS_POOL_H

#include "pool.h"

extern zend_class_entry *php_mcp_pool_class_entry;

/* Returns the borrowed pool; keep it with php_mcp_pool_addref(). Returns NULL with an Error if the object was never
 * constructed. */
mcp_pool *php_mcp_class_pool_get(zend_object *object);

/* Returns the pool of the mcpatterns.* settings, like Pool::default(): one per request as long as the settings do not
 * change. The pool is borrowed. Returns NULL with a ValueError if a setting is wrong. */
mcp_pool *php_mcp_class_pool_default(void);
/* Create a pool from the settings for PHP's sessions, with the servers of session.save_path and with `prefix`, unless
 * they are empty. The caller owns the pool. Returns NULL with a warning on a mistake. */
mcp_pool *php_mcp_class_pool_for_sessions(const char *servers, const char *prefix);
/* Validate the settings at start-up. Returns false with a warning on a mistake. */
bool php_mcp_class_pool_judge_at_start(void);
/* Release the pool of php_mcp_class_pool_default() at request end, while objects can be released, and when a setting
 * has changed. */
void php_mcp_class_pool_release_default(void);

#endif
