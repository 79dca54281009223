/* Counts the changes of the user that this process acts as. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_CHANGES_H
#define MCP_PHP_USER_CHANGES_H

#include "../../core/atomics.h"

/* Private to user_changes.c. */
extern mcp_atomic_u64 php_mcp_user_changes;

/* Hook PHP's functions that change the user. Call at start-up. */
void php_mcp_user_changes_watch(void);
void php_mcp_user_changes_unwatch(void);

/* Invalidate everything that was determined for a user, because something else that it depends on has changed. */
void php_mcp_user_changes_add(void);

/* Returns a number greater than 0 that changes after each of those functions, in any thread. Other changes (a web
 * server between two requests, FFI) go unnoticed: keep nothing beyond the request on this alone. */
static inline uint64_t php_mcp_user_changes_count(void) {
	return atomic_load_explicit(&php_mcp_user_changes, memory_order_relaxed);
}

#endif
