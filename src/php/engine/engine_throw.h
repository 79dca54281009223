/* Tells what the engine itself threw inside one of our methods from what user code threw there. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_ENGINE_THROW_H
#define MCP_PHP_ENGINE_THROW_H

#include "php.h"

/* The last throw that had no user code between it and one of our methods. Compared, never followed: both
 * may have ended long ago. */
typedef struct mcp_engine_throw {
	const zend_object *exception;
	const zend_execute_data *method;
	const zend_object *by_user; /* the last that user code threw since */
} mcp_engine_throw;

/* Registers the hook at start-up; the next takes it away at shutdown. Every throw is looked at when it happens. */
void php_mcp_engine_throw_register(void);
void php_mcp_engine_throw_unregister(void);

/* Says whether EG(exception) was thrown by the engine for the method that is running: by the method's own call,
 * or by a method of an internal class (DateTime::__unserialize, say) that this call called, or over such a one.
 * Nothing else in the exception is looked at, because user code and stored bytes can put anything there. */
bool php_mcp_engine_throw_is_pending(void);

#endif
