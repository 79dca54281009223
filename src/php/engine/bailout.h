/* A bailout of the engine (a fatal error: memory_limit, above all) that came up inside a store: noted there, and raised
 * again once the call has left the store, so that nothing below src/php is ever jumped over. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_BAILOUT_H
#define MCP_PHP_BAILOUT_H

#include "php_mcpatterns.h"

static inline bool php_mcp_bailout_is_noted(void) {
	return MCP_REQUEST(has_bailed_out);
}

/* Notes it. It is raised at the end of the method at the latest; where none is under way, when the engine looks for
 * interrupts next. Until then memory_limit counts no more: one fatal error is all that comes of it. */
void php_mcp_bailout_note(void);

/* Has this done once for each bailout, when all stores have been left: what it broke off must not be gone on with. Set at
 * start-up. */
void php_mcp_bailout_follow(void (*work)(void));

/* Forgets it, where the request ends anyway. */
void php_mcp_bailout_forget(void);

/* Raises it, in the place of any exception that stands. */
ZEND_COLD ZEND_NORETURN void php_mcp_bailout_raise_noted(void);

/* Raises what was noted: does not return then. For where user code would run next, or an exception be thrown: what must be
 * undone after a fatal error hangs from objects there. While no code runs, the request ends anyway. */
static inline void php_mcp_bailout_raise(void) {
	if (UNEXPECTED(MCP_REQUEST(has_bailed_out)) && EG(current_execute_data) != NULL) {
		php_mcp_bailout_raise_noted();
	}
}

/* Lets memory_limit not count, while what must be given back is given back at the request's end; the next has it count again. */
void php_mcp_bailout_lift_limit(void);
void php_mcp_bailout_restore_limit(void);

#endif
