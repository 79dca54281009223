/* Releases claims and locks at request end, even after a fatal error, when no destructor runs. Objects embed and own
 * the nodes of the list of releases. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_GIVE_BACK_H
#define MCP_PHP_GIVE_BACK_H

#include "process.h"

#include <stdbool.h>

typedef struct mcp_give_back mcp_give_back;

/* Release the claim or lock of `node`, quickly and without user code. Called after the node has been removed from the
 * list, only in the process that registered it. */
typedef void (*mcp_give_back_function)(mcp_give_back *node);

/* A zero-initialized node is not registered. A registered node must not move. */
struct mcp_give_back {
	mcp_give_back *previous, *next;
	mcp_give_back_function give_back; /* NULL: not registered */
	pid_t pid;                        /* process that registered the node */
	/* not released by a TTL, so its release is tried even if other nodes have used up the time */
	bool is_lost_otherwise;
	bool is_a_calls; /* ends with a call or an object, not with one of several requests */
};

/* Register a node. If the node is already registered, replace its function and process. */
void php_mcp_give_back_register(mcp_give_back *node, mcp_give_back_function give_back);
/* No effect if the node is not registered. Must be called before the node's memory is freed. */
void php_mcp_give_back_unregister(mcp_give_back *node);
/* Remove the node, and release it if this process registered it: a forked child does not release its parent's holds. At
 * request end, the total wait for servers that do not reply is at most 1 s plus one timeout. Nodes that were not
 * released expire by their TTL, except nodes with is_lost_otherwise. */
void php_mcp_give_back_now(mcp_give_back *node);

/* Release everything that this process still holds at request end, newest first. */
void php_mcp_give_back_all(void);
/* At the end of one of several requests of the process, release all nodes except those that end with a call or an
 * object. */
void php_mcp_give_back_between(void);

/* Lift memory_limit at request end if nodes must be released or TLS can need memory. The next function restores it. */
void php_mcp_give_back_lift_limit(void);
void php_mcp_give_back_restore_limit(void);

#endif
