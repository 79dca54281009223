/* Watches the engine while it encodes or decodes a value: finds exceptions that the engine throws and objects of
 * missing classes, and silences errors. Checks the arrays of a value, and protects them from user code. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_VALUE_WATCH_H
#define MCP_PHP_VALUE_WATCH_H

#include "php.h"

/* The last throw that no user code separated from a method of this module. The pointers are compared, but never
 * dereferenced, because both exceptions might have been freed. */
typedef struct mcp_engine_throw {
	const zend_object *exception;
	const zend_execute_data *method;
	const zend_object *by_user; /* last exception of user code since then */
} mcp_engine_throw;

/* Register the hooks at start-up and remove them at shutdown. */
void php_mcp_value_watch_register(void);
void php_mcp_value_watch_unregister(void);

/* True if the engine threw EG(exception) for the running method. This can happen directly, in a method of an internal
 * class that this method called (DateTime::__unserialize), or with such an exception as a previous exception. Ignores
 * the exception's contents, which user code and stored bytes can forge. */
bool php_mcp_engine_throw_is_pending(void);

/* Call before an unserialization. Silences all errors except fatal errors, because bytes of another client can cause
 * errors. Returns the error level, for php_mcp_value_watch_end. After a fatal error in between, errors remain
 * silenced until request end. */
int php_mcp_value_watch_begin(void);
/* Call after the unserialization. True if the running function itself has created an object of a missing class since
 * the last call, which makes a value unreadable (C9). Ignores unserialize() in user code (a __wakeup, another
 * Fiber). */
bool php_mcp_value_watch_end(int level);

#define MCP_STORABLE_TOO_DEEP "the value is nested more than 4096 levels deep"

/* Puts the value to serialize into *held: the value itself, or a copy of its arrays if a reference leads to an array.
 * - Reason: a __serialize() could change or drop such an array while the engine reads it.
 * - The caller destroys *held, which can run destructors.
 * - Returns NULL, or the reason that completes "not serializable: ...". With a reason, *held is the value itself.
 * - Runs no user code and does not read objects. */
const char *php_mcp_value_watch_copy_storable(zval *held, zval *value);

#endif
