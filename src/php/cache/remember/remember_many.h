/* One rememberMany() from its first read to its results. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_REMEMBER_REMEMBER_MANY_H
#define MCP_PHP_CACHE_REMEMBER_REMEMBER_MANY_H

#include "remembering.h"

/* One call of Cache::rememberMany(): its keys, turns and results. */

typedef struct mcp_remembering_many {
	mcp_remembering defaults; /* the options of each key */
	HashTable *names;         /* all, in the caller's order */
	HashTable pending;        /* neither served nor computed in this round */
	HashTable turns;          /* name => mcp_remembering: to compute in this round */
	HashTable distrusts;      /* name => mcp_value_id: values that did not decode */
	bool must_look_again;     /* new distrusts exist */
	bool has_looked;      /* has checked the near cache. Only once: later it waits for new values */
	zend_string *awaited; /* the name whose change ends a pause; borrowed, or NULL */
	zend_string *paused;  /* the name with the longest pause after failures; borrowed, or NULL */
	uint64_t paused_until_ms;
	zend_object *undecodable; /* last exception of a stored value: a reference, or NULL */
	zval *result;
} mcp_remembering_many;

/* Makes *result with a value or null for each key, unless a key is rejected. Defaults and TTL must be set in `call`.
 * Runs user code. An exception can be the result. */
void php_mcp_remember_many_answer(mcp_remembering_many *call, zval *keys, zval *result);

#endif
