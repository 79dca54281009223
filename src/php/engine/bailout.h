/* Defers an engine bailout inside a store until the call has left the store. A bailout follows a fatal error, mostly
 * because memory_limit was exceeded, and must never jump over code outside src/php. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_BAILOUT_H
#define MCP_PHP_BAILOUT_H

#include "php_mcpatterns.h"

static inline bool php_mcp_bailout_is_noted(void) {
	return MCP_REQUEST(has_bailed_out);
}

/* Record a bailout. It is raised at the end of the running method. Outside of methods, it is raised at the engine's
 * next interrupt check. Until then, memory_limit is lifted, so that no second fatal error can follow. */
void php_mcp_bailout_note(void);

/* Register, at start-up, a function that runs once per bailout, after all stores have been left. It must end the work
 * that the bailout has interrupted. */
void php_mcp_bailout_follow(void (*work)(void));

/* Forget the bailout, because the request is ending. */
void php_mcp_bailout_forget(void);

/* Raise the recorded bailout in place of any current exception. */
ZEND_COLD ZEND_NORETURN void php_mcp_bailout_raise_noted(void);

/* Raise a recorded bailout, if any. The function then does not return. Call it before user code runs or an exception
 * is thrown, when objects own all resources that must be released after a fatal error. If no PHP code is running,
 * nothing is raised, because the request is ending. */
static inline void php_mcp_bailout_raise(void) {
	if (UNEXPECTED(MCP_REQUEST(has_bailed_out)) && EG(current_execute_data) != NULL) {
		php_mcp_bailout_raise_noted();
	}
}

/* Lift memory_limit while claims and locks are released at request end, and restore it afterwards. */
void php_mcp_bailout_lift_limit(void);
void php_mcp_bailout_restore_limit(void);

#endif
