/* Ends the read stamps, tag snapshots and claims of keys that the same Fiber has cleared or flushed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_EMPTYING_H
#define MCP_PHP_CACHE_EMPTYING_H

#include "object/cache_object.h"

/* Ends the state of this Fiber for keys in the object's namespace, after all servers have cleared it. Releases claims
 * of get() and lookup(). */
void php_mcp_cache_emptying_end_cleared(mcp_cache_object *object);
/* Ends the state of this Fiber for all keys on the Pool's servers after a flush. No claim is left to release. */
void php_mcp_cache_emptying_end_flushed(mcp_pool *pool);

#endif
