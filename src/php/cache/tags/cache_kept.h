/* The end of what this process keeps of keys, looks and claims, when its own Fiber empties them: it stores from then on
 * what it computes anew. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_KEPT_H
#define MCP_PHP_CACHE_KEPT_H

#include "../object/cache_object.h"

/* Ends this Fiber's looks at the keys of the object's namespace, and its claims there by get and lookup, which are
 * given back: all servers have been told that the namespace is cleared. */
void php_mcp_cache_kept_end_cleared(mcp_cache_object *object);
/* Ends them at all keys on the Pool's servers, which have been emptied: there is nothing to give back. */
void php_mcp_cache_kept_end_flushed(mcp_pool *pool);

#endif
