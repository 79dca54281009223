/* The arguments of Cache's constructor, whose list is long, and those of several methods: read, judged, with a ValueError for each
 * mistake, and the defaults put in for what was not given. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_ARGUMENTS_H
#define MCP_PHP_CACHE_ARGUMENTS_H

#include "object/cache_object.h"
#include "value/cache_value.h"

/* As the constructor parsed them; everything is borrowed. zvals that are NULL or null were not given. */
typedef struct mcp_cache_arguments {
	zend_object *pool;
	zend_string *prefix;
	zval *ttl, *grace, *lease, *wait;
	bool serve_stale, stale_on_error;
	double early, jitter;
	zend_long copies;
	zval *near;
	bool clearable, foreign, guarded;
	zval *holdoff;
} mcp_cache_arguments;

/* Parses with the stub's defaults for what is not given. False with an exception. */
bool php_mcp_cache_arguments_parse(mcp_cache_arguments *arguments, zend_execute_data *execute_data);

/* False with a ValueError if one of them is wrong. */
bool php_mcp_cache_arguments_judge(const mcp_cache_arguments *arguments,
	mcp_cache_options *options);

/* Judges what both the constructor and remember() have, as their 9th and 10th. False with a ValueError. */
bool php_mcp_cache_arguments_judge_early(double early);
bool php_mcp_cache_arguments_judge_jitter(double jitter);

/* Parses the arguments of publish, set, add and replace, and the object; publish has no $grace. False with an
 * exception. */
bool php_mcp_cache_arguments_parse_storing(mcp_cache_storing *storing, uint32_t parameters_max,
	zend_execute_data *execute_data);

/* As increment() and decrement() parsed them; everything is borrowed. */
typedef struct mcp_count_arguments {
	zend_long by, initial;
	bool initial_is_null;
	zval *ttl;
} mcp_count_arguments;

/* Judges a $ttl whether it is used or not; *initial is set if there is one. False with an exception. */
bool php_mcp_cache_arguments_judge_count(const mcp_cache_object *object,
	const mcp_count_arguments *arguments, mcp_cache_initial *initial);

#endif
