/* Handles signals while a method waits: the wait ends with MCP_INTERRUPTED, and the method runs PHP's pending work
 * with php_mcp_interrupt_run() and then continues to wait. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INTERRUPT_H
#define MCP_PHP_INTERRUPT_H

#include "../../core/environment.h"
#include "php_mcpatterns.h"

#include "zend_atomic.h"

/* Implements is_interrupted of mcp_environment. */
bool php_mcp_interrupt_is_pending(const mcp_environment *environment);
uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment);

/* Run PHP's pending work. Runs user code. Returns false with an exception. The wait must then end. */
bool php_mcp_interrupt_run(void);

/* Schedule the registered work for the end of the running method. Outside of methods, such as when an object is being
 * freed, the work runs at the engine's next interrupt check. If arguments are being passed at that check, it runs at
 * the end of the next method. */
static inline void php_mcp_method_end_ask(void) {
	MCP_REQUEST(work_is_due) = true;
}

/* Schedule the work, and interrupt a wait in order to run it. */
void php_mcp_method_end_ask_now(void);

/* Register the work at start-up, after all classes: functions in the order of execution, terminated by NULL, borrowed
 * forever. Each function can run user code and throw, preserves a current exception, and reschedules unfinished work.
 * The first function is an exception: it runs no user code, and is called even while arguments are being passed. */
void php_mcp_method_end_register(void (*const *work)(void));
void php_mcp_method_end_unregister(void);

/* Number of parts of a request's state. */
#define MCP_REQUEST_SCOPES 22

/* Functions that end one part of a request's state. They must not throw. NULL: nothing to do. */
typedef struct mcp_request_scope {
	const char *name;
	/* Called by Pool::endRequest(). Keeps objects and the state of running calls. Runs no user code, unless
	 * stated. */
	void (*between)(void);
	/* Called at RSHUTDOWN, also after a fatal error. Objects still exist, and user code can still run afterwards. */
	void (*end)(void);
	/* Called after the last object has been freed. Frees everything, and runs no user code. MCP_REQUEST() is zeroed
	 * afterwards. */
	void (*forget)(void);
} mcp_request_scope;

/* Register all parts at start-up, in the order in which they end. `scopes`: MCP_REQUEST_SCOPES parts. */
void php_mcp_request_scopes_register(const mcp_request_scope *scopes);

void php_mcp_request_scopes_between(void);
void php_mcp_request_scopes_end(void);
void php_mcp_request_scopes_forget(void);

#endif
