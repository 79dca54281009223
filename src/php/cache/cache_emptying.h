/* The end of what this process keeps of keys, looks, claims and notes, when its own Fiber empties them: it stores from then
 * on what it computes anew. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_EMPTYING_H
#define MCP_PHP_CACHE_EMPTYING_H

#include "../../patterns/cache/entry/cache_tags.h"
#include "object/cache_object.h"

/* Ends this Fiber's looks at the keys of the object's namespace, its notes of them, and its claims there by get and lookup,
 * which are given back: all servers have been told that the namespace is cleared. */
void php_mcp_cache_emptying_end_cleared(mcp_cache_object *object);
/* Ends them at all keys on the Pool's servers, which have been emptied: there is nothing to give back. */
void php_mcp_cache_emptying_end_flushed(mcp_pool *pool);
/* Has this Fiber's looks at keys with this tag, and its claims there by get and lookup, count no more as of before its own
 * invalidation of the tag on this server. Of a rebuild it says nothing (T8). */
void php_mcp_cache_emptying_hear_of_tag(const mcp_store *server, mcp_tag left);

#endif
