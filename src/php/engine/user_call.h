/* Calls the user's callables and handles their exceptions. Plain data: no cleanup is needed here after a fatal
 * error in a callable. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_CALL_H
#define MCP_PHP_USER_CALL_H

#include "php.h"

/* Callable as filled in by Z_PARAM_FUNC. Owns nothing: the arguments of the running method own it. */
typedef struct mcp_user_call {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
} mcp_user_call;

/* Empty call, for an optional parameter. */
static inline mcp_user_call php_mcp_user_call_none(void) {
	return (mcp_user_call){.info = empty_fcall_info, .cache = empty_fcall_info_cache};
}

static inline bool php_mcp_user_call_is_none(const mcp_user_call *call) {
	return !ZEND_FCI_INITIALIZED(call->info);
}

/* Create a call of a callable kept as a zval. It is resolved when it is called. Borrows the zval's value. */
mcp_user_call php_mcp_user_call_of(const zval *callable);

/* Take references so that the call outlives its arguments. Keeps the resolution, because a private method resolves
 * only in the caller's scope. Not for calls made by php_mcp_user_call_of(). */
void php_mcp_user_call_keep(mcp_user_call *call);
void php_mcp_user_call_release(mcp_user_call *call);
/* Report the references of a call, which can be empty, to the garbage collector. */
void php_mcp_user_call_show(mcp_user_call *call, zend_get_gc_buffer *buffer);

/* Run user code. `argument` can be NULL for none. Returns true with a result that the caller owns, never a reference.
 * Returns false with UNDEF after an exception or while the engine exits. */
bool php_mcp_user_call_run(mcp_user_call *call, zval *argument, zval *result);
/* Run user code with `count` arguments. */
bool php_mcp_user_call_run_all(mcp_user_call *call, zval *arguments, uint32_t count, zval *result);

/* Optional first parameters that receive an object. Variadic parameters are optional. A required parameter always
 * receives the object, a callable without parameters never. */
typedef enum mcp_user_call_offer {
	MCP_OFFER_IF_ADMITTED, /* parameters whose type, if any, accepts the object */
	MCP_OFFER_IF_NAMED,    /* parameters whose type names the object's class */
} mcp_user_call_offer;

/* True if the callable receives an object of this class, which has no parents or interfaces. False for __call(),
 * which has no declared parameters. */
bool php_mcp_user_call_takes(const mcp_user_call *call, const zend_class_entry *type,
	mcp_user_call_offer offer);

/* Call php_mcp_user_call_run() with the object, by reference if the parameter is a reference. The object can be
 * NULL. */
bool php_mcp_user_call_run_with(mcp_user_call *call, zend_object *object, zval *result);

/* True if this is not a failure: no exception, an exit, or the destruction of a Fiber. */
bool php_mcp_user_call_is_exit(const zend_object *exception);
/* Like php_mcp_user_call_is_exit(), for the current exception. */
bool php_mcp_user_call_is_exiting(void);

/* Throw a saved exception in place of the current exception, unless that is an exit. Takes over the reference. */
void php_mcp_user_call_rethrow(zend_object *thrown);

/* Saves the current exception so that code can run, as the engine does around destructors. A newer exception is
 * chained before the saved exception. An exit replaces it. */
typedef struct mcp_exception_aside {
	zend_object *exception;
	const zend_op *thrown_at;
} mcp_exception_aside;

void php_mcp_exception_put_aside(mcp_exception_aside *aside);
void php_mcp_exception_put_back(const mcp_exception_aside *aside);
/* Restore the saved exception and drop any newer exception. */
void php_mcp_exception_put_back_alone(const mcp_exception_aside *aside);

/* Read ZEND_STR_MESSAGE or ZEND_STR_PREVIOUS of an exception as stored, because unserialized bytes can have set it to
 * anything. Returns a borrowed value or *buffer. Runs __get if the class has unset the property. */
zval *php_mcp_exception_property_read(zend_object *exception, zend_known_string_id property,
	zval *buffer);

/* Defers exceptions until a batch call has handled its other keys (C18). Zero-initialize. */
typedef struct mcp_deferred {
	zend_object *first; /* a reference, or NULL */
	/* end of the first exception's chain, borrowed; NULL if the chain must not grow */
	zend_object *last;
	uint32_t count;
} mcp_deferred;

/* Keep the current exception, if any. Returns false for an exit, which remains current: the caller must return
 * immediately. */
bool php_mcp_deferred_keep(mcp_deferred *deferred);

/* Throw the first kept exception, if any, in place of the current exception unless that is an exit. At most 100
 * later exceptions are chained as previous exceptions. */
void php_mcp_deferred_throw(mcp_deferred *deferred);

#endif
