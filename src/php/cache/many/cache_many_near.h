/* Many keys of a Cache that has values near: those that are found near stand behind those that memcached is to be
 * asked for. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_MANY_NEAR_H
#define MCP_PHP_CACHE_MANY_NEAR_H

#include "cache_many.h"

/* Finds, after php_mcp_cache_many_begin, of an object with a memo, what is near, counts it, and has the rest asked
 * for. `remember`: where the caller may be drawn to rebuild a value early; else NULL. */
void php_mcp_cache_many_near_find(mcp_cache_many *many, const mcp_remember *remember);

/* Takes the place of php_mcp_cache_many_batch, as the next ones do of _take and _end, whether anything is near
 * or not. */
mcp_cache_batch php_mcp_cache_many_near_batch(mcp_cache_many *many);
bool php_mcp_cache_many_near_take(mcp_cache_many *many, size_t i, zval *value);
void php_mcp_cache_many_near_end(mcp_cache_many *many);

/* Keeps what may be near, after memcached was asked, and before any user code. */
void php_mcp_cache_many_near_keep(mcp_cache_many *many);

#endif
