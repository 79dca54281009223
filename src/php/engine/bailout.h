/* A bailout of the engine (a fatal error: memory_limit, above all) that came up inside a store: noted there, and raised
 * again once the call has left the store, so that nothing below src/php is ever jumped over. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_BAILOUT_H
#define MCP_PHP_BAILOUT_H

#include "php_mcpatterns.h"
#include "zend_atomic.h"

static inline bool php_mcp_bailout_is_noted(void) {
	return MCP_G(has_bailed_out);
}

/* Notes it. It is raised when the engine looks for interrupts next, if nothing here has done so before. */
static inline void php_mcp_bailout_note(void) {
	MCP_G(has_bailed_out) = true;
	zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
}

/* Raises what was noted: does not return then. Where user code would run next, or an exception be thrown: what must be
 * undone after a fatal error hangs from objects there. */
static inline void php_mcp_bailout_raise(void) {
	if (UNEXPECTED(MCP_G(has_bailed_out))) {
		MCP_G(has_bailed_out) = false;
		zend_bailout();
	}
}

#endif
