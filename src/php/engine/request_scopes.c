/* Runs the functions that end a request. */
/* SPDX-License-Identifier: MIT */
#include "request_scopes.h"

#include "php_mcpatterns.h"

static const mcp_request_scope *registered;

void php_mcp_request_scopes_register(const mcp_request_scope *scopes) {
	registered = scopes;
}

enum { BETWEEN, END, FORGET };

static void run(int moment) {
	for (const mcp_request_scope *scope = registered; scope->name != NULL; scope++) {
		void (*const works[])(void) = {scope->between, scope->end, scope->forget};
		if (works[moment] != NULL) {
			works[moment]();
		}
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
