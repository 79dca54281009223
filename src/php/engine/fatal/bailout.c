/* Every method of this module is called through one function of this file, which the engine takes for the method's own: a
 * method that has noted a bailout never returns to the code that called it. */
/* SPDX-License-Identifier: MIT */
#include "bailout.h"

#include "zend_atomic.h"
#include "zend_extensions.h"

void php_mcp_bailout_lift_limit(void) {
	zend_set_memory_limit(SIZE_MAX / 2);
}

/* Takes what is in use for the limit, where more was taken while it did not count. */
void php_mcp_bailout_restore_limit(void) {
	if (zend_set_memory_limit((size_t)PG(memory_limit)) == FAILURE) {
		zend_set_memory_limit(zend_memory_usage(true));
	}
}

void php_mcp_bailout_note(void) {
	MCP_REQUEST(has_bailed_out) = true;
	php_mcp_bailout_lift_limit();
	zend_atomic_bool_store_ex(&EG(vm_interrupt), true);
}

static void (*following)(void);

void php_mcp_bailout_follow(void (*work)(void)) {
	following = work;
}

void php_mcp_bailout_forget(void) {
	if (MCP_REQUEST(has_bailed_out)) {
		following();
		MCP_REQUEST(has_bailed_out) = false;
		php_mcp_bailout_restore_limit();
	}
}

/* Leaves the exception to the end of the request, which frees all memory: nobody is to hear of it, and to free it here might
 * run code. */
void php_mcp_bailout_raise_noted(void) {
	php_mcp_bailout_forget();
	EG(exception) = NULL;
	EG(prev_exception) = NULL;
	zend_bailout();
}

/* --- where no method is under way --- */

/* Another extension's, called after ours. Written at start-up. */
static void (*interrupt_before)(zend_execute_data *execute_data);

static void interrupt(zend_execute_data *execute_data) {
	php_mcp_bailout_raise();
	if (interrupt_before != NULL) {
		interrupt_before(execute_data);
	}
}

/* --- methods --- */

/* Where an internal function keeps the handler that it had. Written at start-up; -1: the engine has no room left. */
static int slot = -1;

static ZEND_NAMED_FUNCTION(call) {
	zif_handler handler = (zif_handler)(uintptr_t)EX(func)->internal_function.reserved[slot];
	handler(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	php_mcp_bailout_raise();
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

void php_mcp_bailout_register(void) {
	interrupt_before = zend_interrupt_function;
	zend_interrupt_function = interrupt;
	slot = zend_get_resource_handle("mcpatterns");
	if (slot >= 0) {
		watch_methods();
	}
}

void php_mcp_bailout_unregister(void) {
	if (zend_interrupt_function == interrupt) {
		zend_interrupt_function = interrupt_before;
	}
}
