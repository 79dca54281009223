/* Calls the user's callables and distinguishes failures from exits. */
/* SPDX-License-Identifier: MIT */
#include "user_call.h"

#include "bailout.h"
#include "php_mcpatterns.h"
#include "zend_closures.h"
#include "zend_exceptions.h"

mcp_user_call php_mcp_user_call_of(const zval *callable) {
	mcp_user_call call = php_mcp_user_call_none();
	call.info.size = sizeof(call.info);
	ZVAL_COPY_VALUE(&call.info.function_name, callable);
	return call;
}

/* Keep a __call() unresolved, because it is public, and can be resolved when it is called. */
void php_mcp_user_call_keep(mcp_user_call *call) {
	Z_TRY_ADDREF(call->info.function_name);
	if (call->cache.function_handler == NULL) {
		call->cache = empty_fcall_info_cache;
	} else if (call->cache.object != NULL) {
		GC_ADDREF(call->cache.object);
	}
}

void php_mcp_user_call_release(mcp_user_call *call) {
	if (call->cache.object != NULL) {
		OBJ_RELEASE(call->cache.object);
	}
	zval_ptr_dtor(&call->info.function_name);
}

void php_mcp_user_call_show(mcp_user_call *call, zend_get_gc_buffer *buffer) {
	if (php_mcp_user_call_is_none(call)) {
		return;
	}
	zend_get_gc_buffer_add_zval(buffer, &call->info.function_name);
	if (call->cache.object != NULL) {
		zend_get_gc_buffer_add_obj(buffer, call->cache.object);
	}
}

bool php_mcp_user_call_run(mcp_user_call *call, zval *argument, zval *result) {
	return php_mcp_user_call_run_all(call, argument, argument != NULL ? 1 : 0, result);
}

bool php_mcp_user_call_run_all(mcp_user_call *call, zval *arguments, uint32_t count, zval *result) {
	php_mcp_bailout_raise();
	ZVAL_UNDEF(result);
	call->info.retval = result;
	call->info.params = arguments;
	call->info.param_count = count;
	/* Copy the cache, because zend_call_function fills in unresolved fields, and adds no references. */
	zend_fcall_info_cache cache = call->cache;
	MCP_REQUEST(user_calls)++;
	bool is_called = zend_call_function(&call->info, &cache) == SUCCESS;
	MCP_REQUEST(user_calls)--;
	if (is_called && EG(exception) == NULL && !Z_ISUNDEF_P(result)) {
		if (Z_ISREF_P(result)) {
			zend_unwrap_reference(result); /* the function returns by reference */
		}
		return true;
	}
	zval_ptr_dtor(result);
	ZVAL_UNDEF(result);
	return false;
}

/* Returns the function that the callable runs. NULL for __call() and __callStatic(), which declare no parameters. */
static const zend_function *function_of(const mcp_user_call *call) {
	zend_object *called = call->cache.object;
	bool is_nameless = call->cache.function_handler == NULL;
	if (is_nameless && called != NULL && called->ce == zend_ce_closure) {
		return zend_get_closure_method_def(called); /* for [$closure, '__invoke'] */
	}
	return call->cache.function_handler;
}

static bool names(zend_type type, const zend_class_entry *named) {
	if (ZEND_TYPE_IS_INTERSECTION(type)) {
		return false;
	}
	const zend_type *member;
	ZEND_TYPE_FOREACH(type, member) {
		if (ZEND_TYPE_HAS_NAME(*member) &&
			zend_string_equals_ci(ZEND_TYPE_NAME(*member), named->name)) {
			return true;
		}
	}
	ZEND_TYPE_FOREACH_END();
	return false;
}

bool php_mcp_user_call_takes(const mcp_user_call *call, const zend_class_entry *type,
	mcp_user_call_offer offer) {
	const zend_function *function = function_of(call);
	if (function == NULL || function->common.required_num_args > 0) {
		return function != NULL;
	}
	bool is_variadic = (function->common.fn_flags & ZEND_ACC_VARIADIC) != 0;
	if (function->common.num_args == 0 && !is_variadic) {
		return false;
	}
	zend_type declared = function->common.arg_info[0].type;
	bool is_for_any = offer == MCP_OFFER_IF_ADMITTED &&
		(!ZEND_TYPE_IS_SET(declared) || (ZEND_TYPE_FULL_MASK(declared) & MAY_BE_OBJECT) != 0);
	return is_for_any || names(declared, type);
}

bool php_mcp_user_call_run_with(mcp_user_call *call, zend_object *object, zval *result) {
	if (object == NULL) {
		return php_mcp_user_call_run(call, NULL, result);
	}
	zval argument;
	ZVAL_OBJ_COPY(&argument, object);
	if (ARG_SHOULD_BE_SENT_BY_REF(function_of(call), 1)) {
		ZVAL_MAKE_REF(&argument);
	}
	bool is_done = php_mcp_user_call_run(call, &argument, result);
	zval_ptr_dtor(&argument); /* user code might have replaced it, and a destructor can throw */
	if (is_done && EG(exception) != NULL) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
	}
	return is_done && EG(exception) == NULL;
}

bool php_mcp_user_call_is_exit(const zend_object *exception) {
	return exception == NULL || zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception);
}

bool php_mcp_user_call_is_exiting(void) {
	return php_mcp_user_call_is_exit(EG(exception));
}

void php_mcp_user_call_rethrow(zend_object *thrown) {
	if (EG(exception) != NULL && php_mcp_user_call_is_exiting()) {
		OBJ_RELEASE(thrown);
		return;
	}
	zend_clear_exception();
	zval exception;
	ZVAL_OBJ(&exception, thrown);
	zend_throw_exception_object(&exception);
}

/* Also save EG(opline_before_exception), from which the engine finds the catch of the current exception. Code that
 * throws and catches overwrites it. Tested by
 * pool/listener/on_error_listener_that_catches_leaves_a_signals_exception.phpt. */
void php_mcp_exception_put_aside(mcp_exception_aside *aside) {
	*aside = (mcp_exception_aside){EG(exception), EG(opline_before_exception)};
	EG(exception) = NULL;
}

void php_mcp_exception_put_back(const mcp_exception_aside *aside) {
	if (aside->exception == NULL) {
		return;
	}
	EG(opline_before_exception) = aside->thrown_at;
	if (EG(exception) == NULL) {
		EG(exception) = aside->exception;
	} else if (php_mcp_user_call_is_exiting()) {
		OBJ_RELEASE(aside->exception);
	} else {
		zend_exception_set_previous(EG(exception), aside->exception);
	}
}

void php_mcp_exception_put_back_alone(const mcp_exception_aside *aside) {
	zend_object *thrown = EG(exception);
	if (aside->exception == NULL) {
		zend_clear_exception();
	} else if (thrown != NULL) {
		EG(exception) = NULL;
		OBJ_RELEASE(thrown);
	}
	php_mcp_exception_put_back(aside);
}

zval *php_mcp_exception_property_read(zend_object *exception, zend_known_string_id property,
	zval *buffer) {
	return zend_read_property_ex(zend_get_exception_base(exception), exception,
		ZSTR_KNOWN(property), true, buffer);
}

/* Only exceptions without a previous one are chained, because the engine follows a chain to its end, and user code
 * can make an endless chain. */

/* Maximum number of chained exceptions. Each of them keeps the arguments in its trace alive. */
#define KEPT_MAX 100

static bool has_previous(zend_object *exception) {
	zval buffer;
	return Z_TYPE_P(php_mcp_exception_property_read(exception, ZEND_STR_PREVIOUS, &buffer)) !=
		IS_NULL;
}

bool php_mcp_deferred_keep(mcp_deferred *deferred) {
	zend_object *thrown = EG(exception);
	if (thrown == NULL) {
		return true;
	}
	if (php_mcp_user_call_is_exit(thrown)) {
		return false;
	}
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (deferred->first == NULL) {
		deferred->first = thrown;
		deferred->last = has_previous(thrown) ? NULL : thrown;
	} else if (deferred->last != NULL && deferred->last != thrown && deferred->count < KEPT_MAX &&
		!has_previous(thrown)) {
		zend_exception_set_previous(deferred->last, thrown);
		deferred->last = thrown;
	} else {
		OBJ_RELEASE(thrown);
	}
	deferred->count++;
	return true;
}

void php_mcp_deferred_throw(mcp_deferred *deferred) {
	zend_object *first = deferred->first;
	*deferred = (mcp_deferred){0};
	if (first != NULL) {
		php_mcp_user_call_rethrow(first);
	}
}
