/* Handles signals while a method waits: the wait ends with MCP_INTERRUPTED, the method runs PHP's pending work here,
 * then waits on. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INTERRUPT_H
#define MCP_PHP_INTERRUPT_H

#include "../../core/environment.h"
#include "php_mcpatterns.h"

#include "zend_atomic.h"

/* For mcp_environment. */
bool php_mcp_interrupt_is_pending(const mcp_environment *environment);
uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment);

/* Runs user code. Returns false with an exception, which must be thrown: the wait is over. */
bool php_mcp_interrupt_run(void);

#endif
