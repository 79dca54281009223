/* Does what the engine does at a jump or a call when EG(vm_interrupt) is set: its time limit, then whoever
 * hooked zend_interrupt_function (pcntl's async signals). */
/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include "php.h"

#include "zend_atomic.h"

bool mcp_interrupt_is_pending(const mcp_environment *environment) {
	(void)environment;
	return zend_atomic_bool_load_ex(&EG(vm_interrupt));
}

bool mcp_interrupt_run(void) {
	zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
	if (zend_atomic_bool_load_ex(&EG(timed_out))) {
		zend_timeout();
	}
	if (zend_interrupt_function != NULL) {
		zend_interrupt_function(EG(current_execute_data));
	}
	return EG(exception) == NULL;
}

uint64_t mcp_interrupt_left_ms(uint64_t begun_ms, uint64_t wait_ms) {
	uint64_t passed_ms = mcp_monotonic_ms(mcp_environment_get()) - begun_ms;
	return passed_ms < wait_ms ? wait_ms - passed_ms : 0;
}
