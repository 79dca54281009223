/* The arguments of a RateLimiter's constructor, and the limit that they make. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_RATE_LIMITER_ARGUMENTS_H
#define MCP_PHP_RATE_LIMITER_ARGUMENTS_H

#include "../../core/items/limit.h"
#include "../pooled/when_down.h"

#include "php.h"

#define MCP_RATE_LIMITER_DEFAULT_SLOTS 10

/* By their numbers. */
typedef struct mcp_rate_limiter_arguments {
	zend_object *pool;
	zend_string *name;
	zend_long limit;
	zval *period;
	zend_object *how; /* NULL: the default */
	zend_long slots;
	zend_long burst;
	bool has_no_burst;
	zval *when_down; /* NULL or null: it throws */
} mcp_rate_limiter_arguments;

/* Judges all but the pool; false with an exception. */
bool php_mcp_rate_limiter_arguments_judge(const mcp_rate_limiter_arguments *arguments,
	mcp_limit *limit, mcp_when_down *when_down);

#endif
