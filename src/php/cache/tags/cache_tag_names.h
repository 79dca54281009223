/* The tag names of a method's arguments, checked and without duplicates, and the invalidation methods. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_TAGS_CACHE_TAG_NAMES_H
#define MCP_PHP_CACHE_TAGS_CACHE_TAG_NAMES_H

#include "../object/cache_object.h"

/* Adds arguments, strings or arrays of strings, to `names` as keys. With the earlier keys, `names` must get 1 to
 * MCP_TAG_NAMES_MAX. False with an exception about the invalid argument. */
bool php_mcp_cache_tag_names_parse(zval *arguments, uint32_t count, zend_array *names);

/* The work of Cache's invalidation methods. */

/* Returns true if all servers have replied. `names` are the keys of the table. */
bool php_mcp_cache_tagging_invalidate(mcp_cache_object *object, const zend_array *names,
	bool is_strict);
/* Invalidates the tag of all values of the object's prefix. False with a LogicException if they have none. */
bool php_mcp_cache_tagging_clear(mcp_cache_object *object, bool is_strict);

/* Ends the state of this Fiber for keys in the object's namespace, after all servers have cleared it. Releases claims
 * of get() and lookup(). */
void php_mcp_cache_emptying_end_cleared(mcp_cache_object *object);
/* Ends the state of this Fiber for all keys on the Pool's servers after a flush. No claim is left to release. */
void php_mcp_cache_emptying_end_flushed(mcp_pool *pool);

#endif
