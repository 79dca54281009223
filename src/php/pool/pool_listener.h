/* Tells a Pool's listener, after the operation, what failed in it: at most once a second for each server and kind.
 * Its servers' stores are observed for it; anything else is reported by php_mcp_pool_listener_report. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_POOL_LISTENER_H
#define MCP_PHP_POOL_POOL_LISTENER_H

#include "listening/listener.h"
#include "pool.h"

typedef struct mcp_error_event {
	mcp_error_kind kind;
	const mcp_key *key; /* the item's: says which server it is; NULL: `address` does */
	const char *address;
	zend_string *name;      /* as the user gave it; NULL: as memcached has it is told */
	zend_object *exception; /* what was thrown; NULL: nothing */
} mcp_error_event;

/* Has it told to the pool's listener, if there is one, as soon as the operation under way is over. Takes
 * references; runs no user code and throws nothing. */
void php_mcp_pool_listener_report(mcp_pool *pool, const mcp_error_event *trouble);

/* Makes this the pool's listener from now on; NULL: none is. */
void php_mcp_pool_listener_set(mcp_pool *pool, const mcp_user_call *call);

/* Tells the listeners what was noted, also beside an exception that stands; one that throws keeps no other from being told. */
void php_mcp_pool_listener_tell(void);
/* Drops at request end what has not been told. From then on nothing is noted. */
void php_mcp_pool_listener_end(void);
/* Notes nothing while Pool::endRequest() gives back, and then as before. */
void php_mcp_pool_listener_silence(void);
void php_mcp_pool_listener_unsilence(void);

/* Renews pools whose servers an endpoint tells, at the end of a method: there no method of ours has anything in its hands that
 * belongs to a server. */

/* Renews them if MCP_REQUEST(servers_are_outdated); later if one of our methods is still under way or a session open. */
void php_mcp_pool_renewal_take_turn(void);

#endif
