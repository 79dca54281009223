/* Work for the end of a method of this module, where nothing of it is under way any more and user code may run. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_METHOD_END_H
#define MCP_PHP_METHOD_END_H

#include "php_mcpatterns.h"

/* Asks for the work to be done at the end of the method that is running. Where none is, an object is being freed: it is done when
 * the engine looks for interrupts next, or at the end of the next method if a call's arguments are being passed then. */
static inline void php_mcp_method_end_ask(void) {
	MCP_REQUEST(work_is_due) = true;
}

/* Asks for it to be done during a wait, too: the engine's flag ends that. */
void php_mcp_method_end_ask_now(void);

/* Sets at start-up what is done, in this order, when all classes are there. Each may run user code and throw, leaves an exception
 * that stands standing, and asks again for what it could not do; but for the first, which runs none, and does not wait for
 * arguments that are being passed. NULL-terminated, borrowed for good. */
void php_mcp_method_end_register(void (*const *work)(void));
void php_mcp_method_end_unregister(void);

#endif
