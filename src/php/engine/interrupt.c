/* Interrupts of the engine, and the ends of methods and requests. Wraps every method of this module, so that pending
 * work runs while the method's frame still exists. At that time, an exception of the method has not reached the
 * method's caller, and can be put aside. */
/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include "zend_extensions.h"
#include "zend_signal.h"

#include <signal.h>

bool php_mcp_interrupt_is_pending(const mcp_environment *environment) {
	(void)environment;
	return zend_atomic_bool_load_ex(&EG(vm_interrupt));
}

#ifdef PHP_WIN32

/* On Windows, no signal ends a process from outside. */
uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment) {
	(void)environment;
	return 0;
}

#else

/* Read PHP's table of the script's handlers, because the installed handlers of these signals are always PHP's own. */
static uint64_t bit_of_default(int number) {
#ifdef ZEND_SIGNALS
	bool is_default = SIGG(handlers)[number - 1].handler == (void *)SIG_DFL;
#else
	struct sigaction now;
	bool is_default = sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL;
#endif
	return is_default ? (uint64_t)1 << (number - 1) : 0;
}

uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment) {
	(void)environment;
	return bit_of_default(SIGTERM) | bit_of_default(SIGINT) | bit_of_default(SIGQUIT);
}

#endif

/* Does what the engine does at a jump or a call: first the time limit, then zend_interrupt_function (pcntl's async
 * signals). This relies on the engine to set EG(vm_interrupt) for a signal, and on zend_interrupt_function to run the
 * signal's handler. Tested by lifecycle/waits_run_signal_handlers.phpt. */
bool php_mcp_interrupt_run(void) {
	zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
	if (zend_atomic_bool_load_ex(&EG(timed_out))) {
		zend_timeout();
	}
	if (zend_interrupt_function != NULL) {
		MCP_REQUEST(user_calls)++;
		zend_interrupt_function(EG(current_execute_data));
		MCP_REQUEST(user_calls)--;
	}
	return EG(exception) == NULL;
}

/* --- the ends of methods --- */

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

/* This relies on the engine to call the `handler` of an internal function, and to have a slot for this extension in
 * `reserved`. Tested by pool/tls/fatal_errors_within_tls_end_the_request_once.phpt. */
static int slot = -1; /* -1: the engine has no slot for this extension */

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

/* This relies on the engine to call zend_interrupt_function between instructions when EG(vm_interrupt) is set. If
 * work threw while arguments are being passed, the engine would free an argument that is not yet passed, so this work
 * waits for the end of the next method. The handler must not set EG(vm_interrupt), because the engine would loop.
 * Tested by pool/listener/on_error_tells_what_failed_when_an_object_was_freed.phpt. */
static void (*interrupt_before)(zend_execute_data *frame);

static void interrupt(zend_execute_data *frame) {
	if (UNEXPECTED(MCP_REQUEST(work_is_due))) {
		works[0]();
	}
	if (interrupt_before != NULL) {
		interrupt_before(frame);
	}
	bool is_between_arguments = frame != NULL && frame->func != NULL &&
		ZEND_USER_CODE(frame->func->type) && frame->call != NULL;
	if (UNEXPECTED(MCP_REQUEST(work_is_due)) && (EG(exception) != NULL || !is_between_arguments)) {
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

/* --- the ends of requests --- */

enum { BETWEEN, END, FORGET, MOMENTS };

/* The functions of each moment, without gaps, because each request runs them. NULL ends a list. */
static void (*lists[MOMENTS][MCP_REQUEST_SCOPES + 1])(void);

void php_mcp_request_scopes_register(const mcp_request_scope *scopes) {
	size_t counts[MOMENTS] = {0};
	for (const mcp_request_scope *scope = scopes; scope < scopes + MCP_REQUEST_SCOPES; scope++) {
		void (*const parts[])(void) = {scope->between, scope->end, scope->forget};
		for (int moment = BETWEEN; moment < MOMENTS; moment++) {
			lists[moment][counts[moment]] = parts[moment];
			counts[moment] += parts[moment] != NULL;
		}
	}
}

static void run(int moment) {
	for (void (*const *part)(void) = lists[moment]; *part != NULL; part++) {
		(*part)();
	}
}

void php_mcp_request_scopes_between(void) {
	run(BETWEEN);
}

void php_mcp_request_scopes_end(void) {
	run(END);
}

void php_mcp_request_scopes_forget(void) {
	run(FORGET);
	memset(&MCP_G(request), 0, sizeof(MCP_G(request)));
}
