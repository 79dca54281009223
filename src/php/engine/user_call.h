/* Calls the user's callables and handles their exceptions. All types are plain data, so no cleanup is needed here
 * after a fatal error in a callable. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_CALL_H
#define MCP_PHP_USER_CALL_H

#include "php.h"

/* A callable, as filled in by Z_PARAM_FUNC. Owns nothing, because the arguments of the running method own the
 * callable. */
typedef struct mcp_user_call {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
} mcp_user_call;

/* Returns an empty call, for an optional parameter. */
static inline mcp_user_call php_mcp_user_call_none(void) {
	return (mcp_user_call){.info = empty_fcall_info, .cache = empty_fcall_info_cache};
}

static inline bool php_mcp_user_call_is_none(const mcp_user_call *call) {
	return !ZEND_FCI_INITIALIZED(call->info);
}

/* Create a call of a callable that is kept as a zval. The callable is resolved when it is called. Borrows the zval's
 * value. */
mcp_user_call php_mcp_user_call_of(const zval *callable);

/* Add references, so that the call outlives the arguments of the method. Keeps the resolved function, because a
 * private method can be resolved only in the caller's scope. Not for a call from php_mcp_user_call_of(). */
void php_mcp_user_call_keep(mcp_user_call *call);
void php_mcp_user_call_release(mcp_user_call *call);
/* Report the references of a call to the garbage collector. The call can be empty. */
void php_mcp_user_call_show(mcp_user_call *call, zend_get_gc_buffer *buffer);

/* Call the callable. Runs user code. `argument` NULL: no argument. Returns true with a result that the caller owns,
 * and that is never a PHP reference. Returns false, and *result is UNDEF, after an exception or while the engine
 * exits. */
bool php_mcp_user_call_run(mcp_user_call *call, zval *argument, zval *result);
/* Like php_mcp_user_call_run, with `count` arguments. */
bool php_mcp_user_call_run_all(mcp_user_call *call, zval *arguments, uint32_t count, zval *result);

/* Says which optional first parameters receive an object. A variadic parameter is optional. A required first
 * parameter always receives the object. A callable without parameters never receives it. */
typedef enum mcp_user_call_offer {
	MCP_OFFER_IF_ADMITTED, /* parameters whose type, if any, accepts the object */
	MCP_OFFER_IF_NAMED,    /* parameters whose type names the object's class */
} mcp_user_call_offer;

/* True if the callable receives an object of this class, which must have no parents and no interfaces. False for
 * __call(), which has no declared parameters. */
bool php_mcp_user_call_takes(const mcp_user_call *call, const zend_class_entry *type,
	mcp_user_call_offer offer);

/* Call the callable with the object, or by reference if the parameter is a reference. `object` NULL: no argument. */
bool php_mcp_user_call_run_with(mcp_user_call *call, zend_object *object, zval *result);

/* True if `exception` is not a failure, but NULL, an exit, or the destruction of a Fiber. */
bool php_mcp_user_call_is_exit(const zend_object *exception);
/* Like php_mcp_user_call_is_exit(), for the current exception. */
bool php_mcp_user_call_is_exiting(void);

/* Throw a saved exception in place of the current exception, unless the current exception is an exit. Takes over
 * `thrown`. */
void php_mcp_user_call_rethrow(zend_object *thrown);

/* Saves the current exception while other code runs, as the engine does around destructors. If this code throws, the
 * saved exception becomes a previous exception of the newer one. An exit replaces the saved exception. */
typedef struct mcp_exception_aside {
	zend_object *exception;
	const zend_op *thrown_at;
} mcp_exception_aside;

void php_mcp_exception_put_aside(mcp_exception_aside *aside);
void php_mcp_exception_put_back(const mcp_exception_aside *aside);
/* Restore the saved exception, and drop a newer exception. */
void php_mcp_exception_put_back_alone(const mcp_exception_aside *aside);

/* Read the property ZEND_STR_MESSAGE or ZEND_STR_PREVIOUS of an exception without a type conversion. Unserialized
 * bytes might have set the property to any value. Returns a borrowed value or *buffer. Runs __get if the class has
 * unset the property. */
zval *php_mcp_exception_property_read(zend_object *exception, zend_known_string_id property,
	zval *buffer);

/* Defers exceptions until a batch call has handled its other keys (C18). Zero-initialize. */
typedef struct mcp_deferred {
	zend_object *first; /* a reference, or NULL */
	/* last exception of the chain, borrowed; NULL if the chain must not grow */
	zend_object *last;
	uint32_t count;
} mcp_deferred;

/* Keep the current exception, if any. Returns false for an exit, which remains current. The caller must then return
 * immediately. */
bool php_mcp_deferred_keep(mcp_deferred *deferred);

/* Throw the first kept exception, if any, in place of the current exception, unless the current exception is an exit.
 * At most 100 later exceptions are chained to it as previous exceptions. */
void php_mcp_deferred_throw(mcp_deferred *deferred);

#endif
