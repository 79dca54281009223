/* The user and group that this process acts as. They can change at any time in scripts of root. Reading them costs
 * more than a near hit, so callers read them again only after a possible change. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_H
#define MCP_PHP_USER_H

#include "../../core/atomics.h"

/* All 0 on systems without users. */
typedef struct mcp_user {
	uint64_t id;    /* effective user id */
	uint64_t group; /* effective group id */
	/* namespace of user and group, because in its own user namespace, a process can have any id; 0: unknown */
	uint64_t namespace_id;
} mcp_user;

/* Read user, group and namespace: three system calls. */
mcp_user php_mcp_user_ask(void);
/* Read user and group without the namespace, which is then 0: two short system calls per request and
 * php_mcp_user_changes_count(). */
mcp_user php_mcp_user_of_request(void);

/* Private to user.c. */
extern mcp_atomic_u64 php_mcp_user_changes;

/* Hook PHP's functions that change the user. Call at start-up. */
void php_mcp_user_changes_watch(void);
void php_mcp_user_changes_unwatch(void);

/* Invalidate all data that was determined for a user, because another condition of this data has changed. */
void php_mcp_user_changes_add(void);

/* Returns a number greater than 0 that changes after each call of a hooked function, in any thread. Other changes (a
 * web server between two requests, FFI) are not detected: do not keep data beyond the request based only on this
 * number. */
static inline uint64_t php_mcp_user_changes_count(void) {
	return atomic_load_explicit(&php_mcp_user_changes, memory_order_relaxed);
}

#endif
