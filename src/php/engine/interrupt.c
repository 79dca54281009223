/* Does what the engine does at a jump or a call when EG(vm_interrupt) is set: its time limit, then
 * the extension that hooked zend_interrupt_function (pcntl's async signals). */
/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include "zend_signal.h"

#include <signal.h>

bool php_mcp_interrupt_is_pending(const mcp_environment *environment) {
	(void)environment;
	return zend_atomic_bool_load_ex(&EG(vm_interrupt));
}

#ifdef PHP_WIN32

/* Returns none: no signal ends a process there from without. */
uint64_t php_mcp_interrupt_deadly_signals(const mcp_environment *environment) {
	(void)environment;
	return 0;
}

#else

/* Looks into PHP's own table: PHP has handlers of its own installed for these, which look there for the script's. */
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

/* Relies on the engine to have set EG(vm_interrupt) for a signal, and on zend_interrupt_function to run its handler. Without it
 * lifecycle/waits_run_signal_handlers.phpt fails. */
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
