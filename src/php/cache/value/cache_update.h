/* Changes of what is there: pull, delete, expire, touch, increment, and update with the user's code in the middle. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_UPDATE_H
#define MCP_PHP_CACHE_UPDATE_H

#include "../../engine/user_call.h"
#include "../object/cache_object.h"

/* Takes the value out of the cache. False if there is none for this caller, or with an exception. */
bool php_mcp_cache_update_pull(mcp_cache_call *call, zend_string *name, zval *value);

/* delete and expire: when it was done, what this process holds on the key is overtaken. False if it was not,
 * or with an exception. */
typedef mcp_status (*mcp_cache_operation)(const mcp_cache *cache, const mcp_key *key);
bool php_mcp_cache_update_overtake(mcp_cache_call *call, zend_string *name,
	mcp_cache_operation operation);

/* Deletes, and answers whether the server had something to delete. False as well when it was not asked. */
bool php_mcp_cache_update_forget(mcp_cache_call *call, zend_string *name);

/* False if there is no value, or with an exception. */
bool php_mcp_cache_update_touch(mcp_cache_call *call, zend_string *name, mcp_lifetime lifetime);

/* False if there is no number to count, or with an exception. */
bool php_mcp_cache_update_count(mcp_cache_call *call, zend_string *name, int64_t by,
	const mcp_cache_initial *initial, int64_t *number);

/* Reads, calls `change` with the old value or null, and stores what it returns if nothing has changed
 * meanwhile; otherwise again. Runs user code. False with an exception, or when the engine is on its way out;
 * then *changed is UNDEF. */
bool php_mcp_cache_update_change(mcp_cache_object *object, zend_string *name,
	const mcp_user_call *change, mcp_lifetime lifetime, zval *changed);

#endif
