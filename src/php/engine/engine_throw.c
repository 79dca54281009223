/* Inspects the call stack at each throw through the engine's hook: afterwards only the exception is left, and its
 * origin can be forged. */
/* SPDX-License-Identifier: MIT */
#include "engine_throw.h"

#include "exception_property.h"
#include "php_mcpatterns.h"
#include "user_call.h"
#include "zend_exceptions.h"

/* Hook of another extension, called after this one. Written at start-up. */
static void (*next_hook)(zend_object *exception);

static bool is_ours(const zend_function *function) {
	return function->type == ZEND_INTERNAL_FUNCTION &&
		function->internal_function.module == &mcpatterns_module_entry;
}

static bool is_internal_method(const zend_function *function) {
	return function->type == ZEND_INTERNAL_FUNCTION && function->common.scope != NULL;
}

/* Find this module's method if only methods of internal classes are above it; otherwise NULL. spl_autoload() is no
 * method: exceptions of a file that it loads belong to user code. */
static const zend_execute_data *find_method(void) {
	const zend_execute_data *frame = EG(current_execute_data);
	while (frame != NULL && frame->func != NULL && !is_ours(frame->func)) {
		frame = is_internal_method(frame->func) ? frame->prev_execute_data : NULL;
	}
	return frame != NULL && frame->func != NULL ? frame : NULL;
}

static void note(const zend_object *exception) {
	mcp_engine_throw *last = &MCP_G(engine_throw);
	const zend_execute_data *method = find_method();
	if (method != NULL) {
		*last = (mcp_engine_throw){.exception = exception, .method = method};
		return;
	}
	last->by_user = exception;
	if (last->exception == exception) {
		/* A different exception at the same address. */
		*last = (mcp_engine_throw){0};
	}
}

/* The engine must call zend_throw_exception_hook at each throw, before unwinding. Tested by
 * value/refuse_what_cannot_be_stored.phpt. */
static void look(zend_object *exception) {
	if (exception != NULL) { /* otherwise an older exception is rethrown */
		note(exception);
	}
	if (next_hook != NULL) {
		next_hook(exception);
	}
}

void php_mcp_engine_throw_register(void) {
	next_hook = zend_throw_exception_hook;
	zend_throw_exception_hook = look;
}

void php_mcp_engine_throw_unregister(void) {
	if (zend_throw_exception_hook == look) {
		zend_throw_exception_hook = next_hook;
	}
}

static zend_object *previous_of(zend_object *exception) {
	zval buffer;
	zval *previous = php_mcp_exception_property_read(exception, ZEND_STR_PREVIOUS, &buffer);
	ZVAL_DEREF(previous);
	return Z_TYPE_P(previous) == IS_OBJECT ? Z_OBJ_P(previous) : NULL;
}

/* Follow the previous exceptions, because the hook misses throws while an exception is pending. Only destructors,
 * which the hook sees, run user code then: such an exception is the engine's if the first one was. */
static bool is_or_follows(zend_object *exception, const mcp_engine_throw *last) {
	while (exception != NULL && exception != last->exception && exception != last->by_user) {
		exception = previous_of(exception);
	}
	return exception != NULL && exception == last->exception;
}

bool php_mcp_engine_throw_is_pending(void) {
	zend_object *exception = EG(exception);
	if (php_mcp_user_call_is_exit(exception)) {
		return false;
	}
	const mcp_engine_throw *last = &MCP_G(engine_throw);
	return last->method == EG(current_execute_data) && is_or_follows(exception, last);
}
