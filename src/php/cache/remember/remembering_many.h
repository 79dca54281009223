/* One call of Cache::rememberMany(): its keys, whose turn they are, and what has been answered. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBERING_MANY_H
#define MCP_PHP_REMEMBERING_MANY_H

#include "remembering.h"

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

/* Begins with `names`, each once in the caller's order, which must live until the end. Makes *result, with null
 * for each. Defaults and TTL have been set. */
void php_mcp_remembering_many_begin(mcp_remembering_many *call, HashTable *names, zval *result);
void php_mcp_remembering_many_end(mcp_remembering_many *call);

/* Puts the value, which is given over, into the result. */
void php_mcp_remembering_many_answer(mcp_remembering_many *call, zend_string *name, zval *value);

/* Takes this caller's turn: the process keeps the claim from here on. `old_payload` may be NULL. */
void php_mcp_remembering_many_take_turn(mcp_remembering_many *call, zend_string *name,
	const mcp_cache_entry *entry, zend_string *old_payload);

/* Notes that the name, one of `names`, is held off after failures: it will not be answered. */
void php_mcp_remembering_many_note_pause(mcp_remembering_many *call, zend_string *name,
	uint64_t until_ms);

/* Gives back the claims of all turns. */
void php_mcp_remembering_many_abandon(mcp_remembering_many *call, bool has_failed);

#endif
