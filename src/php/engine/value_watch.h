/* Watches the engine while it encodes or decodes a value: exceptions that the engine throws, objects of missing
 * classes, errors. Checks the arrays of a value, and protects them from user code. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_VALUE_WATCH_H
#define MCP_PHP_VALUE_WATCH_H

#include "php.h"

/* Last throw without user code between it and a method of this module. Pointers are compared, never dereferenced: both
 * objects can be freed. */
typedef struct mcp_engine_throw {
	const zend_object *exception;
	const zend_execute_data *method;
	const zend_object *by_user; /* last exception thrown by user code since then */
} mcp_engine_throw;

/* Register the hooks at start-up and remove them at shutdown. */
void php_mcp_value_watch_register(void);
void php_mcp_value_watch_unregister(void);

/* True if the engine threw EG(exception) for the running method: directly, in an internal class's method that the
 * method called (DateTime::__unserialize), or chained onto such an exception. Ignores the exception's contents,
 * which user code and stored bytes can forge. */
bool php_mcp_engine_throw_is_pending(void);

/* Call before and after an unserialization. Silence all errors except fatal errors, because bytes of another client can
 * cause errors. Returns the level for the end. After a fatal error in between, errors remain silenced until request
 * end. */
int php_mcp_value_watch_begin(void);
/* True if the running function itself has created an object of a missing class since the last call, which makes a value
 * unreadable (C9). Ignores unserialize() in user code (a __wakeup, another Fiber). */
bool php_mcp_value_watch_end(int level);

#define MCP_STORABLE_TOO_DEEP "the value is nested more than 4096 levels deep"

/* Puts the value to serialize into *held: the value itself, or a copy of its arrays if a reference leads to an array.
 * - Reason: a __serialize() could change or drop such an array while the engine reads it.
 * - The caller destroys *held, which can run destructors.
 * - Returns NULL, or the reason that completes "not serializable: ..."; *held is then the value itself.
 * - Runs no user code and does not read objects. */
const char *php_mcp_value_watch_copy_storable(zval *held, zval *value);

#endif
