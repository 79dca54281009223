/* The user and group that this process acts as: of the call, as scripts of root may change them at any time. To ask the
 * system costs more than a near hit does, so whoever depends on it asks again when it may have changed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_H
#define MCP_PHP_USER_H

#include "../../core/atomics.h"

/* All 0 where there are no users. */
typedef struct mcp_user {
	uint64_t id;    /* effective */
	uint64_t group; /* effective */
	uint64_t
		namespace_id; /* the user namespace, in which both count: in one of its own a process may have any id; 0: unknown */
} mcp_user;

/* The number of changes. For user.c alone. */
extern mcp_atomic_u64 php_mcp_user_changes;

/* Watches PHP's functions that change the user, from the module's start on. Written there alone. */
void php_mcp_user_watch(void);
void php_mcp_user_unwatch(void);

/* Asks the system: three calls. */
mcp_user php_mcp_user_ask(void);
/* Asks without the namespace, which is 0 then: two short calls, once in a request for each php_mcp_user_version. */
mcp_user php_mcp_user_of_request(void);
void php_mcp_user_begin_request(void);
/* Has all that was found out for a user be found out again, as something else has changed that it depends on. */
void php_mcp_user_ask_again(void);

/* Returns a number greater than 0, and another one after each of those functions, in whichever thread it was called.
 * Others that change the user (a web server between two requests, FFI) do so unnoticed: nothing may be kept past a
 * request by this alone. */
static inline uint64_t php_mcp_user_version(void) {
	return atomic_load_explicit(&php_mcp_user_changes, memory_order_relaxed);
}

#endif
