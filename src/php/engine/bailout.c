/* Records a bailout inside a store, and raises it outside the store. */
/* SPDX-License-Identifier: MIT */
#include "bailout.h"

#include "compat.h"
#include "interrupt.h"

void php_mcp_bailout_lift_limit(void) {
	zend_set_memory_limit(SIZE_MAX / 2);
}

/* If more memory is in use than the limit permits, set the limit to the memory in use. */
void php_mcp_bailout_restore_limit(void) {
	if (zend_set_memory_limit((size_t)PG(memory_limit)) == FAILURE) {
		zend_set_memory_limit(zend_memory_usage(true));
	}
}

void php_mcp_bailout_note(void) {
	MCP_REQUEST(has_bailed_out) = true;
	php_mcp_bailout_lift_limit();
	php_mcp_method_end_ask_now();
}

static void (*following)(void);

void php_mcp_bailout_follow(void (*work)(void)) {
	following = work;
}

void php_mcp_bailout_forget(void) {
	if (MCP_REQUEST(has_bailed_out)) {
		following();
		MCP_REQUEST(has_bailed_out) = false;
		php_mcp_bailout_restore_limit();
	}
}

/* Do not free the current exception, because this might run code. Request end frees all memory. */
void php_mcp_bailout_raise_noted(void) {
	php_mcp_bailout_forget();
	php_mcp_compat_forget_exceptions();
	zend_bailout();
}
