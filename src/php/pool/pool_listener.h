/* Reports failures to a Pool's listener after the operation, at most once a second per server and kind. Observes the
 * stores of the Pool's servers; other code calls php_mcp_pool_listener_report(). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_POOL_LISTENER_H
#define MCP_PHP_POOL_POOL_LISTENER_H

#include "pool.h"

typedef struct mcp_error_event {
	mcp_error_kind kind;
	const mcp_key *key; /* key of the item, which selects the server; NULL: `address` is given */
	const char *address;
	zend_string *name;      /* name as the user passed it; NULL: the key in memcached is reported */
	zend_object *exception; /* thrown exception; NULL: none */
} mcp_error_event;

/* Report a failure to the pool's listener, if any, after the current operation. Takes references. Runs no user code
 * and does not throw. */
void php_mcp_pool_listener_report(mcp_pool *pool, const mcp_error_event *trouble);

/* Set the pool's listener. NULL: none. */
void php_mcp_pool_listener_set(mcp_pool *pool, const mcp_user_call *call);

/* Call the listeners, even while an exception is set. If one throws, the others are still called. */
void php_mcp_pool_listener_tell(void);
/* Drop unreported failures at request end. Nothing is recorded afterwards. */
void php_mcp_pool_listener_end(void);
/* Stop recording while Pool::endRequest() releases holds. The next function continues as before. */
void php_mcp_pool_listener_silence(void);
void php_mcp_pool_listener_unsilence(void);

/* At the end of a method, renew pools with discovered servers if MCP_REQUEST(servers_are_outdated). The renewal is
 * deferred while another method of this module is running or a session is open. */
void php_mcp_pool_listener_renew_servers(void);

#endif
