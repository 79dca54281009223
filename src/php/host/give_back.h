/* Claims and locks that must be given back when the request ends, however it ends: after a fatal
 * error no destructor runs, but this list is walked. Nodes are embedded in objects and owned by them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_GIVE_BACK_H
#define MCP_PHP_GIVE_BACK_H

#include "process.h"

#include <stdbool.h>

typedef struct mcp_give_back mcp_give_back;

/* Gives back what `node` stands for, shortly and without user code. The node is off the list when
 * this is called, and called only in the process that registered it. */
typedef void (*mcp_give_back_function)(mcp_give_back *node);

/* Zero-initialised: not registered. It must not move while it is registered. */
struct mcp_give_back {
	mcp_give_back *previous, *next;
	mcp_give_back_function give_back; /* NULL: not registered */
	pid_t pid;                        /* the process that holds the thing */
	bool is_lost_otherwise;           /* no TTL ends it: tried however long others have waited */
	bool
		is_a_calls; /* a call that goes on, or an object, ends it: not before the process's request */
};

/* Registers a node; of one that is registered already it only replaces function and process. */
void php_mcp_give_back_register(mcp_give_back *node, mcp_give_back_function give_back);
/* Does no harm when the node is not registered. Always call it before the node's memory goes. */
void php_mcp_give_back_unregister(mcp_give_back *node);
/* Says whether it was registered, and by this very process: a forked child gives nothing back that its parent
 * holds. */
bool php_mcp_give_back_is_ours(const mcp_give_back *node);
/* Takes it off the list, and gives it back if it is ours. When the request is ending, servers that do not
 * answer are waited for a second altogether and a timeout: what is left then ends by its TTL, but for what
 * would be lost otherwise. */
void php_mcp_give_back_now(mcp_give_back *node);

/* Gives back at request end everything that this process still holds, newest first. */
void php_mcp_give_back_all(void);
/* Gives back for one request of several that the process's own is made of: all but what a call or an object ends. */
void php_mcp_give_back_between(void);

/* Lets memory_limit not count at the end of PHP's request, if something is still to be given back or TLS may take memory. The
 * second has it count again. */
void php_mcp_give_back_lift_limit(void);
void php_mcp_give_back_restore_limit(void);

#endif
