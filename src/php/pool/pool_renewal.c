/* Methods under way are those that run user code, in any Fiber, and those on the stack. An open session is as one: it is
 * written by the cas id that it was read with. */
/* SPDX-License-Identifier: MIT */
#include "pool_renewal.h"

#include "../engine/method_end.h"
#include "../engine/user_call.h"
#include "php_mcpatterns.h"
#include "pool.h"

static bool is_ours(const zend_execute_data *frame) {
	return frame->func != NULL && frame->func->type == ZEND_INTERNAL_FUNCTION &&
		frame->func->internal_function.module != NULL &&
		strcmp(frame->func->internal_function.module->name, mcpatterns_module_entry.name) == 0;
}

static bool is_one_below(const zend_execute_data *frame) {
	for (frame = frame->prev_execute_data; frame != NULL; frame = frame->prev_execute_data) {
		if (is_ours(frame)) {
			return true;
		}
	}
	return false;
}

/* One of ours in which an interrupt is run counts as user code. */
void php_mcp_pool_renewal_take_turn(void) {
	const zend_execute_data *top = EG(current_execute_data);
	if (!MCP_REQUEST(servers_are_outdated)) {
		return;
	}
	if (MCP_REQUEST(user_calls) > 0 || MCP_REQUEST(open_sessions) != NULL ||
		(top != NULL && is_one_below(top))) {
		php_mcp_method_end_ask();
		return;
	}
	MCP_REQUEST(servers_are_outdated) = false;
	if (EG(exception) == NULL || !php_mcp_user_call_is_exiting()) {
		mcp_exception_aside aside;
		php_mcp_exception_put_aside(&aside);
		php_mcp_pool_renew_all();
		php_mcp_exception_put_back(&aside);
	}
}
