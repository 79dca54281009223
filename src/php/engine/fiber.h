/* Which Fiber runs, for what is kept apart for each. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_FIBER_H
#define MCP_PHP_FIBER_H

#include "php.h"

/* Names the Fiber that runs; NULL outside of all. One that is made when it has been freed may have its name again. */
static zend_always_inline const void *php_mcp_fiber_now(void) {
	return EG(active_fiber);
}

#endif
