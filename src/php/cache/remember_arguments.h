/* The arguments of Cache::remember(), read at each call and judged in two halves: before the look those that steer it, and only where
 * this caller is to compute the terms on which a value is computed and stored, so that a hit pays for none of these. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_ARGUMENTS_H
#define MCP_PHP_REMEMBER_ARGUMENTS_H

#include "../objects/duration.h"
#include "remember/remembering.h"

/* As remember() parsed them; everything is borrowed. zvals that are NULL or null were not given. */
typedef struct mcp_remember_arguments {
	zend_string *name;
	zval *closure;         /* $compute, when it is one, which is called as it is; else NULL ... */
	mcp_user_call compute; /* ... and this is it */
	mcp_user_call tags_of; /* none: not given */
	zval *ttl;             /* int|float|callable|null, judged here: it has no Z_PARAM */
	zval *grace, *lease, *wait;
	bool stale, stale_is_null;
	bool stale_on_error, stale_on_error_is_null;
	double early, jitter;
	bool early_is_null, jitter_is_null;
	zend_object *refresh; /* NULL: not given */
	bool is_forced;
	zval *entry; /* a reference to ?Entry; NULL: not given */
} mcp_remember_arguments;

/* Parses; the rest is for judging. False with an exception. */
bool php_mcp_remember_arguments_parse(mcp_remember_arguments *arguments,
	zend_execute_data *execute_data);

/* Says whether a fresh value is the answer as soon as it is found, and of this call nothing else counts then; what the look is
 * steered by is not given, and is the object's. */
static inline bool php_mcp_remember_arguments_are_plain(const mcp_remember_arguments *arguments,
	const mcp_cache_object *object) {
	return arguments->early_is_null && object->options.early <= 0 && arguments->entry == NULL &&
		!arguments->is_forced && !php_mcp_duration_is_given(arguments->lease) &&
		!php_mcp_duration_is_given(arguments->wait);
}

/* Begins with what the look needs; the rest is judged by `remembering->judge`. The arguments must live as long. False with an
 * exception. */
bool php_mcp_remember_arguments_begin(mcp_remembering *remembering, mcp_cache_object *object,
	const mcp_remember_arguments *arguments);

/* Uses the object's defaults for everything but the TTL (NULL or null: that too), as rememberMany has it. */
bool php_mcp_remember_arguments_use_defaults(mcp_remembering *remembering, zval *ttl);

#endif
