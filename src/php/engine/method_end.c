/* Wraps every method of this module, so that pending work runs while the method's frame still exists. An exception
 * of the method has not reached its caller then, and can be put aside. */
/* SPDX-License-Identifier: MIT */
#include "method_end.h"

#include "zend_atomic.h"
#include "zend_extensions.h"

/* Written at start-up. */
static void (*const *works)(void);

void php_mcp_method_end_ask_now(void) {
	php_mcp_method_end_ask();
	zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
}

static void do_work(void) {
	works[0]();
	MCP_REQUEST(work_is_due) = false;
	for (size_t i = 1; works[i] != NULL; i++) {
		works[i]();
	}
}

/* The engine must call an internal function's `handler`, and reserve a slot per extension in `reserved`. Tested by
 * pool/tls/fatal_errors_within_tls_end_the_request_once.phpt. */
static int slot = -1; /* the engine has no slot left */

static ZEND_NAMED_FUNCTION(call) {
	zif_handler handler = (zif_handler)(uintptr_t)EX(func)->internal_function.reserved[slot];
	handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (UNEXPECTED(MCP_REQUEST(work_is_due))) {
		do_work();
	}
}

static void watch(zend_function *function) {
	zend_internal_function *method = &function->internal_function;
	if (function->type == ZEND_INTERNAL_FUNCTION && method->module == &mcpatterns_module_entry &&
		method->handler != NULL && method->handler != call) {
		method->reserved[slot] = (void *)(uintptr_t)method->handler;
		method->handler = call;
	}
}

static void watch_methods(void) {
	zend_class_entry *type;
	zend_function *function;
	ZEND_HASH_FOREACH_PTR(CG(class_table), type) {
		if (type->type == ZEND_INTERNAL_CLASS &&
			type->info.internal.module == &mcpatterns_module_entry) {
			ZEND_HASH_FOREACH_PTR(&type->function_table, function) {
				watch(function);
			}
			ZEND_HASH_FOREACH_END();
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* The engine calls zend_interrupt_function between instructions once EG(vm_interrupt) is set. If it threw while
 * arguments are being passed, the engine would free an argument not yet passed: such work waits for the end of the
 * next method. The handler must not set the flag itself, or the engine would loop. Tested by
 * pool/listener/on_error_tells_what_failed_when_an_object_was_freed.phpt. */
static void (*interrupt_before)(zend_execute_data *frame);

static bool may_throw(const zend_execute_data *frame) {
	bool is_between_arguments = frame != NULL && frame->func != NULL &&
		ZEND_USER_CODE(frame->func->type) && frame->call != NULL;
	return EG(exception) != NULL || !is_between_arguments;
}

static void interrupt(zend_execute_data *frame) {
	if (UNEXPECTED(MCP_REQUEST(work_is_due))) {
		works[0]();
	}
	if (interrupt_before != NULL) {
		interrupt_before(frame);
	}
	if (UNEXPECTED(MCP_REQUEST(work_is_due)) && may_throw(frame)) {
		do_work();
	}
}

void php_mcp_method_end_register(void (*const *work)(void)) {
	works = work;
	interrupt_before = zend_interrupt_function;
	zend_interrupt_function = interrupt;
	slot = zend_get_resource_handle("mcpatterns");
	if (slot >= 0) {
		watch_methods();
	}
}

void php_mcp_method_end_unregister(void) {
	if (zend_interrupt_function == interrupt) {
		zend_interrupt_function = interrupt_before;
	}
}
