/* The user and group as which this process acts. A script of root can change them at any time. To read them costs
 * more than a near hit, so callers read them again only after a possible change. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_H
#define MCP_PHP_USER_H

#include "../../core/atomics.h"

/* All 0 on systems without users. */
typedef struct mcp_user {
	uint64_t id;    /* effective user id */
	uint64_t group; /* effective group id */
	/* user namespace, because a process in its own user namespace can have any id; 0: unknown */
	uint64_t namespace_id;
} mcp_user;

/* Read user, group and namespace. Cost: 3 system calls. */
mcp_user php_mcp_user_ask(void);
/* Read user and group; the namespace is 0. Cost: 2 short system calls per request and per change of
 * php_mcp_user_changes_count(). */
mcp_user php_mcp_user_of_request(void);

/* Private to user.c. */
extern mcp_atomic_u64 php_mcp_user_changes;

/* Hook PHP's functions that change the user. Call at start-up. */
void php_mcp_user_changes_watch(void);
void php_mcp_user_changes_unwatch(void);

/* Change php_mcp_user_changes_count() without a change of the user, in order to invalidate all data that depends on
 * it. */
void php_mcp_user_changes_add(void);

/* Returns a number greater than 0 that changes after each call of a hooked function in any thread. Other changes of
 * the user (by a web server between two requests, or with FFI) are not detected. Data that depends only on this
 * number must not outlive the request. */
static inline uint64_t php_mcp_user_changes_count(void) {
	return atomic_load_explicit(&php_mcp_user_changes, memory_order_relaxed);
}

#endif
