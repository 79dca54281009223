/* The end of what this process keeps of keys, looks, claims and notes, when its own Fiber empties them: it stores from then
 * on what it computes anew. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_EMPTYING_H
#define MCP_PHP_CACHE_EMPTYING_H

#include "object/cache_object.h"

/* Ends this Fiber's looks at the keys of the object's namespace, its notes of them, and its claims there by get and lookup,
 * which are given back: all servers have been told that the namespace is cleared. */
void php_mcp_cache_emptying_end_cleared(mcp_cache_object *object);
/* Ends them at all keys on the Pool's servers, which have been emptied: there is nothing to give back. */
void php_mcp_cache_emptying_end_flushed(mcp_pool *pool);

#endif
