/* Calls of the user's callables, and what becomes of an exception that stands when one is over. Plain
 * data: a fatal error in the callable leaves nothing to undo here. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_CALL_H
#define MCP_PHP_USER_CALL_H

#include "php.h"

/* A callable to call, as Z_PARAM_FUNC fills it in. Owns nothing: the arguments of the running method do. */
typedef struct mcp_user_call {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
} mcp_user_call;

/* Makes a call of nothing, for an optional parameter. */
static inline mcp_user_call php_mcp_user_call_none(void) {
	return (mcp_user_call){.info = empty_fcall_info, .cache = empty_fcall_info_cache};
}

static inline bool php_mcp_user_call_is_none(const mcp_user_call *call) {
	return !ZEND_FCI_INITIALIZED(call->info);
}

/* Makes a call of a callable that was kept as a zval: looked up only when it is called. Borrows the zval's value. */
mcp_user_call php_mcp_user_call_of(const zval *callable);

/* Lets it outlive the arguments that it came from: takes references. Its resolution stays, because a private
 * method can be resolved only where the caller stands. Not for what php_mcp_user_call_of() made. */
void php_mcp_user_call_keep(mcp_user_call *call);
void php_mcp_user_call_release(mcp_user_call *call);
/* Shows what it has references to, if it is not none, to the garbage collector. */
void php_mcp_user_call_show(mcp_user_call *call, zend_get_gc_buffer *buffer);

/* Runs user code. `argument` may be NULL: none is given then. True with a result that the caller owns,
 * never a reference; false with an exception, or when the engine is on its way out: then it is UNDEF. */
bool php_mcp_user_call_run(mcp_user_call *call, zval *argument, zval *result);
/* Runs user code with so many arguments. */
bool php_mcp_user_call_run_all(mcp_user_call *call, zval *arguments, uint32_t count, zval *result);

/* Which optional first parameters (a variadic one is optional) are given an object. A required one always
 * is, and what has no parameter never. */
typedef enum mcp_user_call_offer {
	MCP_OFFER_IF_ADMITTED, /* those whose type, if they have one, admits it */
	MCP_OFFER_IF_NAMED,    /* those whose type names its class; any other keeps its default */
} mcp_user_call_offer;

/* Says whether the callable is given an object of this class, which extends and implements nothing. A __call(),
 * which has no parameters of its own, is not. */
bool php_mcp_user_call_takes(const mcp_user_call *call, const zend_class_entry *type,
	mcp_user_call_offer offer);

/* Calls php_mcp_user_call_run with the object, by reference where the parameter is one. The object may be NULL. */
bool php_mcp_user_call_run_with(mcp_user_call *call, zend_object *object, zval *result);

/* Tells what is no failure: no exception at all, an exit, or a Fiber being dropped. */
bool php_mcp_user_call_is_exit(const zend_object *exception);
/* Tells it of the exception that stands. */
bool php_mcp_user_call_is_exiting(void);

/* Throws again what stood back, in place of an exception that stands, unless that is an exit. Takes over
 * the reference. */
void php_mcp_user_call_rethrow(zend_object *thrown);

/* Takes an exception that stands away from the engine, so that code can run, and puts it back, as the engine does around a
 * destructor. One that was thrown meanwhile comes before it; an exit in the place of it. */
typedef struct mcp_exception_aside {
	zend_object *exception;
	const zend_op *thrown_at;
} mcp_exception_aside;

void php_mcp_exception_put_aside(mcp_exception_aside *aside);
void php_mcp_exception_put_back(const mcp_exception_aside *aside);
/* Drops what was thrown meanwhile, and puts back what stood. */
void php_mcp_exception_put_back_alone(const mcp_exception_aside *aside);

#endif
