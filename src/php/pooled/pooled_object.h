/* The common part of objects that are something on a Pool: the Pool in what they show, to var_dump() and to the garbage
 * collector. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOLED_POOLED_OBJECT_H
#define MCP_PHP_POOLED_POOLED_OBJECT_H

#include "../../patterns/slots_scratch.h"
#include "../objects/object.h"
#include "../pool/pool.h"
#include "php.h"

#include <stddef.h>

/* Begins what var_dump() shows of an object with the Pool that it is on. Returns an empty array if `pool` is
 * NULL: the object was never constructed. */
HashTable *php_mcp_pooled_object_begin_debug_info(const mcp_pool *pool, int *is_temporary);

/* Returns what a get_gc handler does of an object that holds this pool and, unless it is NULL, this value. */
HashTable *php_mcp_pooled_object_show_held(const mcp_pool *pool, zval *value, zval **table,
	int *count);

/* Objects that are something on a Pool under a name, and hold no more than these two: what their classes share. */

typedef struct mcp_named_object {
	mcp_pool *pool;    /* a reference; NULL until constructed */
	zend_string *name; /* a reference */
	zend_object std;   /* the last member, as this struct is of its class's */
} mcp_named_object;

static inline mcp_bytes php_mcp_named_object_name(const mcp_named_object *object) {
	return mcp_bytes_of(ZSTR_VAL(object->name), ZSTR_LEN(object->name));
}

/* Makes at start-up the handlers that let both go when the object ends. `offset` is where its struct has the
 * zend_object; what get_debug_info shows begins with php_mcp_named_object_begin_debug_info(). */
void php_mcp_named_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_get_debug_info_t get_debug_info);

/* Judges in a constructor its first two parameters. NULL with an exception about one of them. */
mcp_pool *php_mcp_named_object_judge(zend_object *pool_object, const zend_string *name);
/* Takes hold of both: the object is constructed from here on. */
void php_mcp_named_object_hold(mcp_named_object *object, mcp_pool *pool, zend_string *name);

/* Begins with Pool and name, or returns an empty array if the object was never constructed. */
HashTable *php_mcp_named_object_begin_debug_info(const mcp_named_object *object, int *is_temporary);

/* The room in which OnlineCounter and RateLimiter read their slots. */

/* Allocates everything that a read of so many slots wants in one piece of memory; freed by efree(). */
void *php_mcp_slots_scratch_allocate(size_t slots, mcp_slots_scratch *scratch);

#endif
