/* A rememberMany() from its question to its answers. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_REMEMBER_REMEMBER_MANY_H
#define MCP_PHP_CACHE_REMEMBER_REMEMBER_MANY_H

#include "remembering.h"

/* One call of Cache::rememberMany(): its keys, whose turn they are, and what has been answered. */

typedef struct mcp_remembering_many {
	mcp_remembering defaults; /* what each key is remembered with */
	HashTable *names;         /* all of them, in the caller's order */
	HashTable pending;        /* those neither answered nor to be computed in this round */
	HashTable turns;          /* name => mcp_remembering: those to be computed in this round */
	HashTable distrusts;      /* name => mcp_value_id: of those whose value did not decode */
	bool must_look_again;     /* there are new ones among them */
	bool has_looked;          /* at what is near: once, for afterwards it waits for what is new */
	zend_string *awaited;     /* the name whose change ends a pause; borrowed, or NULL */
	zend_string
		*paused; /* the name of one that is held off, that of all for longest; borrowed, or NULL */
	uint64_t paused_until_ms;
	zend_object *undecodable; /* what the last of them threw: a reference, or NULL */
	zval *result;
} mcp_remembering_many;

/* Answers after defaults and TTL have been set in `call`. Runs user code. *result is made here, a value or null
 * for each key, unless a key is refused; an exception may be the answer. */
void php_mcp_remember_many_answer(mcp_remembering_many *call, zval *keys, zval *result);

#endif
