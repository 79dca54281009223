/* What the objects of all our classes have in common: memory that begins zeroed, handlers without clone,
 * the errors about construction, and the key that a name becomes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_OBJECT_H
#define MCP_PHP_OBJECT_H

#include "../../core/key/key.h"
#include "../pool/pool.h"

#include "php.h"

/* At start-up: the class's handlers. `offset` is where its struct has the zend_object, its last member;
 * `free_object` ends with zend_object_std_dtor(). */
void php_mcp_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_free_obj_t free_object);

/* A new object of a class with these handlers, its struct zeroed. */
zend_object *php_mcp_object_create(zend_class_entry *type, const zend_object_handlers *handlers);

/* "McPatterns\Lock object was never constructed" */
void php_mcp_object_throw_unconstructed(const zend_object *std);
/* "Cannot call the constructor of a McPatterns\Lock twice" */
void php_mcp_object_throw_constructed(const zend_object *std);

/* At the start of a method, with what only the constructor sets. False with an Error when it has not. */
static inline bool php_mcp_object_require_constructed(const zend_object *std,
	const mcp_pool *pool) {
	if (UNEXPECTED(pool == NULL)) {
		php_mcp_object_throw_unconstructed(std);
		return false;
	}
	return true;
}

/* In a constructor: at its start, and once more after anything that runs user code. False with an Error
 * when the object has been constructed already. */
static inline bool php_mcp_object_require_new(const zend_object *std, const mcp_pool *pool) {
	if (UNEXPECTED(pool != NULL)) {
		php_mcp_object_throw_constructed(std);
		return false;
	}
	return true;
}

/* What var_dump() shows of an object, begun with the Pool that it is on. An empty array when `pool` is NULL: the
 * object was never constructed. */
HashTable *php_mcp_object_begin_debug_info(const mcp_pool *pool, int *is_temporary);
/* A duration as the constructors take it; UINT64_MAX is INF. */
void php_mcp_object_add_seconds(HashTable *info, const char *name, uint64_t duration_ms);

/* What a get_gc handler of an object answers that holds this pool and, unless it is NULL, this value. */
HashTable *php_mcp_object_show_held(const mcp_pool *pool, zval *value, zval **table, int *count);

/* A key with the bytes that it is a view of: made once by an object whose name and pool stay, and not to be moved. */
typedef struct mcp_object_kept_key {
	mcp_key key;
	mcp_key_buffer buffer;
} mcp_object_kept_key;

/* The key that `name` is among the pool's keys of one kind, for a class without a scope of its own. */
mcp_key php_mcp_object_key(mcp_key_space space, const mcp_pool *pool, const zend_string *name,
	mcp_key_buffer *buffer);

static inline void php_mcp_object_keep_key(mcp_object_kept_key *kept, mcp_key_space space,
	const mcp_pool *pool, const zend_string *name) {
	kept->key = php_mcp_object_key(space, pool, name, &kept->buffer);
}

#endif
