/* The common part of objects that are something on a Pool: the Pool in what they show, to var_dump() and to the garbage
 * collector. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOLED_OBJECT_H
#define MCP_PHP_POOLED_OBJECT_H

#include "../objects/object.h"
#include "../pool/pool.h"

/* Begins what var_dump() shows of an object with the Pool that it is on. Returns an empty array if `pool` is
 * NULL: the object was never constructed. */
HashTable *php_mcp_pooled_object_begin_debug_info(const mcp_pool *pool, int *is_temporary);

/* Returns what a get_gc handler does of an object that holds this pool and, unless it is NULL, this value. */
HashTable *php_mcp_pooled_object_show_held(const mcp_pool *pool, zval *value, zval **table,
	int *count);

#endif
