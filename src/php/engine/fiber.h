/* Identifies the running Fiber. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_FIBER_H
#define MCP_PHP_FIBER_H

#include "php.h"

/* Returns the running Fiber, or NULL outside of Fibers. A new Fiber may get the address of a freed one. */
static zend_always_inline const void *php_mcp_fiber_now(void) {
	return EG(active_fiber);
}

#endif
