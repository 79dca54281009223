/* Handles signals while a method waits: the wait ends with MCP_INTERRUPTED, and the method runs PHP's pending work
 * here, then continues to wait. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INTERRUPT_H
#define MCP_PHP_INTERRUPT_H

#include "../../core/environment.h"
#include "php_mcpatterns.h"

#include "zend_atomic.h"

/* Implements is_interrupted of mcp_environment. */
bool php_mcp_interrupt_is_pending(const mcp_environment *environment);
uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment);

/* Runs user code. Returns false with an exception, which must be thrown: the wait is over. */
bool php_mcp_interrupt_run(void);

/* Schedule the work for the end of the running method. Outside of methods (an object is being freed), it runs at the
 * engine's next interrupt check. If arguments are being passed at that check, it runs at the end of the next method. */
static inline void php_mcp_method_end_ask(void) {
	MCP_REQUEST(work_is_due) = true;
}

/* Schedule the work, and interrupt a wait for it. */
void php_mcp_method_end_ask_now(void);

/* Set the functions at start-up, in the order of execution, after all classes are registered. Each can run user code
 * and throw, preserves a current exception, and reschedules unfinished work. The first function does not run user code,
 * and is called even if arguments are being passed. NULL-terminated; borrowed forever. */
void php_mcp_method_end_register(void (*const *work)(void));
void php_mcp_method_end_unregister(void);

/* Functions that end one part of a request: between two requests of a process, at RSHUTDOWN, and after the last
 * object is freed. They must not throw. NULL: nothing to do. */
typedef struct mcp_request_scope {
	const char *name;
	/* For Pool::endRequest(). Keeps objects and the state of running calls. Does not run user code unless stated. */
	void (*between)(void);
	/* For RSHUTDOWN, also after a fatal error. Objects still exist, and user code can still run afterwards. */
	void (*end)(void);
	/* Called after the last object is freed: release and free without user code. MCP_REQUEST() is zeroed afterwards. */
	void (*forget)(void);
} mcp_request_scope;

/* Register all parts at start-up, in the order in which they end. Borrowed forever; an entry without a name ends the
 * list. */
void php_mcp_request_scopes_register(const mcp_request_scope *scopes);

void php_mcp_request_scopes_between(void);
void php_mcp_request_scopes_end(void);
void php_mcp_request_scopes_forget(void);

#endif
