/* Pool::endRequest(): ends one request of several that a long-lived process serves in one of PHP's. And the memory_limit of
 * PHP's own end. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REQUEST_END_H
#define MCP_PHP_REQUEST_END_H

#include <stdbool.h>

/* Ends something of a request for one of several: throws nothing, runs no user code, and leaves what a call that goes on
 * has. */
typedef void (*mcp_request_ending)(void);

/* Registers at start-up all that a request ends with, in this order, up to NULL. Borrowed for good. */
void php_mcp_request_end_register(const mcp_request_ending *endings);

/* Registers at start-up what is done before them all: it may run user code, and throws nothing but that code's exit. */
void php_mcp_request_end_begin_with(mcp_request_ending work);

/* Gives back and forgets what PHP's own request would end with, but for objects and for what belongs to a call that goes
 * on: this may be called in a callback of that call. Throws nothing, and runs no user code but what is registered to be
 * done before. */
void php_mcp_request_end(void);

/* Lets memory_limit not count at the end of PHP's own request, where something is still to be given back or TLS may take
 * memory. Says whether it was lifted; the next has it count again then. */
bool php_mcp_request_end_lift_limit(void);
void php_mcp_request_end_restore_limit(bool was_lifted);

#endif
