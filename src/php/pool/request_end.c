/* Does between two requests of one process what mcpatterns.c does at the end of PHP's own. Objects stay, and what their
 * user has set: listeners, MC's Cache and a frozen Clock. */
/* SPDX-License-Identifier: MIT */
#include "request_end.h"

#include "../engine/fatal/bailout.h"
#include "pool_listener.h"

#include <stddef.h>

static const mcp_request_ending *registered;
static mcp_request_ending first;

void php_mcp_request_end_register(const mcp_request_ending *endings) {
	registered = endings;
}

void php_mcp_request_end_begin_with(mcp_request_ending work) {
	first = work;
}

void php_mcp_request_end(void) {
	first();
	bool were_over = php_mcp_pool_listener_set_over(true);
	for (const mcp_request_ending *ending = registered; *ending != NULL; ending++) {
		(*ending)();
	}
	php_mcp_pool_listener_set_over(were_over);
}

bool php_mcp_request_end_lift_limit(void) {
	bool is_needed = MCP_G(held) != NULL || MCP_G(connections).tls_count > 0;
	if (is_needed) {
		php_mcp_bailout_lift_limit();
	}
	return is_needed;
}

void php_mcp_request_end_restore_limit(bool was_lifted) {
	if (was_lifted) {
		php_mcp_bailout_restore_limit();
	}
}
