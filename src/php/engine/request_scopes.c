/* Runs the functions that end a request. */
/* SPDX-License-Identifier: MIT */
#include "request_scopes.h"

#include "php_mcpatterns.h"

static const mcp_request_scope *registered;

void php_mcp_request_scopes_register(const mcp_request_scope *scopes) {
	registered = scopes;
}

void php_mcp_request_scopes_between(void) {
	for (const mcp_request_scope *scope = registered; scope->name != NULL; scope++) {
		if (scope->between != NULL) {
			scope->between();
		}
	}
}

void php_mcp_request_scopes_end(void) {
	for (const mcp_request_scope *scope = registered; scope->name != NULL; scope++) {
		if (scope->end != NULL) {
			scope->end();
		}
	}
}

void php_mcp_request_scopes_forget(void) {
	for (const mcp_request_scope *scope = registered; scope->name != NULL; scope++) {
		if (scope->forget != NULL) {
			scope->forget();
		}
	}
	memset(&MCP_G(request), 0, sizeof(MCP_G(request)));
}
