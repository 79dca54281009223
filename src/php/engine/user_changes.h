/* Counts the changes of the user that this process acts as. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_CHANGES_H
#define MCP_PHP_USER_CHANGES_H

#include "../../core/atomics.h"

/* For user_changes.c alone. */
extern mcp_atomic_u64 php_mcp_user_changes;

/* Watches PHP's functions that change the user, from the module's start on. Written there alone. */
void php_mcp_user_changes_watch(void);
void php_mcp_user_changes_unwatch(void);

/* Has all that was found out for a user be found out again, as something else has changed that it depends on. */
void php_mcp_user_changes_add(void);

/* Returns a number greater than 0, and another one after each of those functions, in whichever thread it was called.
 * Others that change the user (a web server between two requests, FFI) do so unnoticed: nothing may be kept past a
 * request by this alone. */
static inline uint64_t php_mcp_user_changes_count(void) {
	return atomic_load_explicit(&php_mcp_user_changes, memory_order_relaxed);
}

#endif
