/* Lists the functions that end a request: between two requests of a process, at RSHUTDOWN, and after the last object
 * is freed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REQUEST_SCOPES_H
#define MCP_PHP_REQUEST_SCOPES_H

/* Functions of one part of a request. They must not throw. NULL: nothing to do. */
typedef struct mcp_request_scope {
	const char *name;
	/* Pool::endRequest(). Objects and the state of running calls stay. Runs no user code unless stated. */
	void (*between)(void);
	/* RSHUTDOWN, also after a fatal error. Objects are alive, and user code may still run afterwards. */
	void (*end)(void);
	/* After the last object is freed: release and free without user code. MCP_REQUEST() is zeroed afterwards. */
	void (*forget)(void);
} mcp_request_scope;

/* Register all parts at start-up, in the order in which they end. Borrowed forever; an entry without a name ends the
 * list. */
void php_mcp_request_scopes_register(const mcp_request_scope *scopes);

void php_mcp_request_scopes_between(void);
void php_mcp_request_scopes_end(void);
void php_mcp_request_scopes_forget(void);

#endif
