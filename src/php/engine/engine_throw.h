/* Distinguishes exceptions that the engine threw inside a method of this module from those of user code. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_ENGINE_THROW_H
#define MCP_PHP_ENGINE_THROW_H

#include "php.h"

/* Last throw without user code between it and a method of this module. Pointers are compared, never dereferenced:
 * both may be freed. */
typedef struct mcp_engine_throw {
	const zend_object *exception;
	const zend_execute_data *method;
	const zend_object *by_user; /* last one thrown by user code since then */
} mcp_engine_throw;

/* Register the hook at start-up and remove it at shutdown. Every throw is inspected when it happens. */
void php_mcp_engine_throw_register(void);
void php_mcp_engine_throw_unregister(void);

/* True if the engine threw EG(exception) for the running method: directly, in an internal class's method that the
 * method called (DateTime::__unserialize), or chained onto such an exception. Ignores the exception's contents,
 * which user code and stored bytes can forge. */
bool php_mcp_engine_throw_is_pending(void);

#endif
