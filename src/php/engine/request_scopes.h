/* What ends with a request: one list, walked where one of several requests of a process ends, where PHP's own ends, and once
 * more when its last object is gone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REQUEST_SCOPES_H
#define MCP_PHP_REQUEST_SCOPES_H

/* One thing that a request has. Each function throws nothing; NULL: there is nothing to do at that time. */
typedef struct mcp_request_scope {
	const char *name;
	/* Pool::endRequest(): objects stay, and so does what a call that goes on has. Runs no user code unless it says so. */
	void (*between)(void);
	/* RSHUTDOWN: objects live, and user code may still run behind it. Also after a fatal error. */
	void (*end)(void);
	/* When the last object is gone: gives back and frees, and runs no user code. What it leaves in MCP_REQUEST() is zeroed
	 * behind it. */
	void (*forget)(void);
} mcp_request_scope;

/* Registers at start-up all that there is, in the order in which it ends. Borrowed for good; the last has no name. */
void php_mcp_request_scopes_register(const mcp_request_scope *scopes);

void php_mcp_request_scopes_between(void);
void php_mcp_request_scopes_end(void);
void php_mcp_request_scopes_forget(void);

#endif
