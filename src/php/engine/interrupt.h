/* Signals while one of our methods waits. PHP runs some of its work, handlers above all, between two
 * statements: a pattern's wait ends with MCP_INTERRUPTED, and the method runs that work here and waits on. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INTERRUPT_H
#define MCP_PHP_INTERRUPT_H

#include "../../core/environment.h"
#include "php_mcpatterns.h"

#include "zend_atomic.h"

/* Fills the environment's places for them, as the next does. */
bool php_mcp_interrupt_is_pending(const mcp_environment *environment);
uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment);

/* Runs user code. False with an exception, which is to be thrown: nothing is waited for any more. */
bool php_mcp_interrupt_run(void);

#endif
