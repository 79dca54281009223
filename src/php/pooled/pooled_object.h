/* Common parts of objects on a Pool: debug info, garbage collection and whenDown. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOLED_POOLED_OBJECT_H
#define MCP_PHP_POOLED_POOLED_OBJECT_H

#include "../../patterns/slots_scratch.h"
#include "../objects/object.h"
#include "../pool/pool.h"
#include "php.h"

#include <stddef.h>

/* Start the debug info with the Pool. Returns an empty array if `pool` is NULL: the object was never constructed. */
HashTable *php_mcp_pooled_object_begin_debug_info(const mcp_pool *pool, int *is_temporary);

/* Result of a get_gc handler for an object that holds this pool and, unless NULL, this value. */
HashTable *php_mcp_pooled_object_show_held(const mcp_pool *pool, zval *value, zval **table,
	int *count);

/* Base of objects that hold only a Pool and a name. */

typedef struct mcp_named_object {
	mcp_pool *pool;    /* a reference; NULL until constructed */
	zend_string *name; /* a reference */
	zend_object std;   /* must be the last member here and in the derived struct */
} mcp_named_object;

static inline mcp_bytes php_mcp_named_object_name(const mcp_named_object *object) {
	return mcp_bytes_of(ZSTR_VAL(object->name), ZSTR_LEN(object->name));
}

/* Initialize at start-up the handlers that release both when the object ends. `offset`: of the zend_object in the
 * derived struct. `get_debug_info` must start with php_mcp_named_object_begin_debug_info(). */
void php_mcp_named_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_get_debug_info_t get_debug_info);

/* Validate a constructor's first two parameters. Returns NULL with an exception about one of them. */
mcp_pool *php_mcp_named_object_judge(zend_object *pool_object, const zend_string *name);
/* Take references to both: from now on the object is constructed. */
void php_mcp_named_object_hold(mcp_named_object *object, mcp_pool *pool, zend_string *name);

/* Start with Pool and name. Returns an empty array if the object was never constructed. */
HashTable *php_mcp_named_object_begin_debug_info(const mcp_named_object *object, int *is_temporary);

/* Allocate the buffers for reading `slots` slots of OnlineCounter or RateLimiter as one block. Free with efree(). */
void *php_mcp_slots_scratch_allocate(size_t slots, mcp_slots_scratch *scratch);

/* whenDown: the object returns a default because a server failed. It is counted and reported to the Pool's listener. */

/* Constructor argument. Zeroed: the object throws. */
typedef struct mcp_when_down {
	bool is_given;
	zend_long answer;
} mcp_when_down;

/* Make it of a nullable parameter. */
static inline mcp_when_down php_mcp_when_down_of(zend_long answer, bool is_null) {
	return (mcp_when_down){.is_given = !is_null, .answer = answer};
}

/* Add it to var_dump(), as a number or as a bool. */
void php_mcp_when_down_show(zval *info, const mcp_when_down *when_down);
void php_mcp_when_down_show_bool(zval *info, const mcp_when_down *when_down);

/* Decide after a call of `name` ended with `status`; `key` is its key or the first part of its slots' keys. Returns
 * true if the method must return the object's default. Returns false if the status stands: throw it, or MCP_OK. Runs
 * no user code. */
bool php_mcp_when_down_steps_in(const mcp_when_down *when_down, mcp_status status, mcp_pool *pool,
	const mcp_key *key, zend_string *name);

#endif
