/* Handles EG(vm_interrupt) as the engine does at a jump or a call: time limit first, then zend_interrupt_function
 * (pcntl's async signals). */
/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include "zend_signal.h"

#include <signal.h>

bool php_mcp_interrupt_is_pending(const mcp_environment *environment) {
	(void)environment;
	return zend_atomic_bool_load_ex(&EG(vm_interrupt));
}

#ifdef PHP_WIN32

/* None: on Windows, no signal ends a process from outside. */
uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment) {
	(void)environment;
	return 0;
}

#else

/* Read PHP's own table: PHP installs its own handlers for these signals, which look up the script's handlers there. */
static bool is_default(int number) {
#ifdef ZEND_SIGNALS
	return SIGG(handlers)[number - 1].handler == (void *)SIG_DFL;
#else
	struct sigaction now;
	return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL;
#endif
}

static uint64_t bit_of_default(int number) {
	return is_default(number) ? (uint64_t)1 << (number - 1) : 0;
}

uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment) {
	(void)environment;
	return bit_of_default(SIGTERM) | bit_of_default(SIGINT) | bit_of_default(SIGQUIT);
}

#endif

/* The engine must set EG(vm_interrupt) for a signal, and zend_interrupt_function must run its handler. Tested by
 * lifecycle/waits_run_signal_handlers.phpt. */
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
