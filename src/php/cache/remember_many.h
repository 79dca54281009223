/* One call of Cache::rememberMany(), shared by the file that looks at keys and the one that computes them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_MANY_H
#define MCP_PHP_REMEMBER_MANY_H

#include "remembering.h"

typedef struct mcp_remembering_many {
	mcp_remembering defaults; /* what each key is remembered with */
	zval *ttl;                /* the argument */
	HashTable *names;         /* all of them, in the caller's order */
	HashTable pending;        /* those neither answered nor to be computed in this round */
	HashTable turns;          /* name => mcp_remembering: those to be computed in this round */
	HashTable distrusts;      /* name => mcp_distrust: of those whose value did not decode */
	bool must_look_again;     /* there are new ones among them */
	zend_object *undecodable; /* what the last of them threw: a reference, or NULL */
	zval *result;
} mcp_remembering_many;

/* Puts the value, which is given over, into the result. */
void mcp_remember_many_answer(mcp_remembering_many *call, zend_string *name, zval *value);

/* Computes what this caller was elected for in one callback, and stores it. False with an exception, or when
 * the engine is on its way out; then all claims have been given back. */
bool mcp_remember_many_compute(mcp_remembering_many *call);

/* Gives back the claims of all turns. */
void mcp_remember_many_abandon(mcp_remembering_many *call, bool has_failed);

#endif
