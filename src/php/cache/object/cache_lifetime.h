/* The lifetime of a value: a call's $ttl and $grace, the Cache's defaults, and jitter. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_LIFETIME_H
#define MCP_PHP_CACHE_LIFETIME_H

#include "cache_object.h"

/* The lifetime arguments of a call, for php_mcp_duration_parse(). NULL or null: not given. */
typedef struct mcp_cache_lifetime_arguments {
	zval *ttl, *grace;
	uint32_t ttl_arg_num, grace_arg_num; /* for the ValueError */
} mcp_cache_lifetime_arguments;

/* Judges without jitter. False with an exception. */
bool php_mcp_cache_lifetime_judge(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime);
/* Applies jitter. Each call draws its own. */
mcp_lifetime php_mcp_cache_lifetime_spread(mcp_lifetime lifetime, double jitter);

/* Does both, with the object's jitter. */
bool php_mcp_cache_lifetime_parse(const mcp_cache_object *object,
	mcp_cache_lifetime_arguments arguments, mcp_lifetime *lifetime);

/* Takes over and parses the return value of remember()'s callable $ttl, and combines it with the requested grace. No
 * jitter. False with a TypeError or ValueError that names the callable. */
bool php_mcp_cache_lifetime_parse_returned(const mcp_cache_object *object, zval *ttl,
	const mcp_lifetime *asked, mcp_lifetime *lifetime);

#endif
