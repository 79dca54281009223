/* The one place that calls the user's callables and tells a failure of theirs from an exit. */
/* SPDX-License-Identifier: MIT */
#include "user_call.h"

#include "zend_exceptions.h"

mcp_user_call mcp_user_call_of(const zval *callable) {
	mcp_user_call call = mcp_user_call_none();
	call.info.size = sizeof(call.info);
	ZVAL_COPY_VALUE(&call.info.function_name, callable);
	return call;
}

/* A __call has not been resolved: it is public, and looked up at the call. */
void mcp_user_call_keep(mcp_user_call *call) {
	Z_TRY_ADDREF(call->info.function_name);
	if (call->cache.function_handler == NULL) {
		call->cache = empty_fcall_info_cache;
	} else if (call->cache.object != NULL) {
		GC_ADDREF(call->cache.object);
	}
}

void mcp_user_call_release(mcp_user_call *call) {
	if (call->cache.object != NULL) {
		OBJ_RELEASE(call->cache.object);
	}
	zval_ptr_dtor(&call->info.function_name);
}

bool mcp_user_call_run(mcp_user_call *call, zval *argument, zval *result) {
	ZVAL_UNDEF(result);
	call->info.retval = result;
	call->info.params = argument;
	call->info.param_count = argument != NULL ? 1 : 0;
	/* A copy, because the call fills in what was not resolved, without taking references. */
	zend_fcall_info_cache cache = call->cache;
	if (zend_call_function(&call->info, &cache) == SUCCESS && EG(exception) == NULL &&
		!Z_ISUNDEF_P(result)) {
		if (Z_ISREF_P(result)) {
			zend_unwrap_reference(result); /* of a function that returns by reference */
		}
		return true;
	}
	zval_ptr_dtor(result);
	ZVAL_UNDEF(result);
	return false;
}

bool mcp_user_call_is_exit(const zend_object *exception) {
	return exception == NULL || zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception);
}

bool mcp_user_call_is_exiting(void) {
	return mcp_user_call_is_exit(EG(exception));
}

void mcp_user_call_rethrow(zend_object *thrown) {
	if (EG(exception) != NULL && mcp_user_call_is_exiting()) {
		OBJ_RELEASE(thrown);
		return;
	}
	zend_clear_exception();
	zval exception;
	ZVAL_OBJ(&exception, thrown);
	zend_throw_exception_object(&exception);
}
