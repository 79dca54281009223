/* Schedules work for the end of a method of this module, where user code may run. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_METHOD_END_H
#define MCP_PHP_METHOD_END_H

#include "php_mcpatterns.h"

/* Schedule the work for the end of the running method. Outside of methods (an object is being freed) it runs at the
 * engine's next interrupt check, or, if arguments are being passed then, at the end of the next method. */
static inline void php_mcp_method_end_ask(void) {
	MCP_REQUEST(work_is_due) = true;
}

/* Schedule the work, and interrupt a wait for it. */
void php_mcp_method_end_ask_now(void);

/* Set the functions at start-up, in the order of execution, after all classes are registered. Each may run user code
 * and throw, preserves a current exception, and reschedules unfinished work. The first one runs no user code and
 * does not wait while arguments are being passed. NULL-terminated; borrowed forever. */
void php_mcp_method_end_register(void (*const *work)(void));
void php_mcp_method_end_unregister(void);

#endif
