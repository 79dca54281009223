/* The common part of all our classes' objects: memory that begins zeroed, handlers without clone, the errors
 * about construction, and the key that a name becomes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_OBJECT_H
#define MCP_PHP_OBJECT_H

#include "../../core/key/key.h"
#include "../pool/pool.h"

#include "php.h"

/* Makes the class's handlers at start-up. `offset` is where its struct has the zend_object, its last member;
 * `free_object` ends with zend_object_std_dtor(). */
void php_mcp_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_free_obj_t free_object);

/* Makes a new object of a class with these handlers, its struct zeroed. */
zend_object *php_mcp_object_create(zend_class_entry *type, const zend_object_handlers *handlers);

/* Throws "McPatterns\Lock object was never constructed" */
void php_mcp_object_throw_unconstructed(const zend_object *std);
/* Throws "Cannot call the constructor of a McPatterns\Lock twice" */
void php_mcp_object_throw_constructed(const zend_object *std);

/* Looks at the start of a method for what only the constructor sets. False with an Error if it has not. */
static inline bool php_mcp_object_require_constructed(const zend_object *std,
	const mcp_pool *pool) {
	if (UNEXPECTED(pool == NULL)) {
		php_mcp_object_throw_unconstructed(std);
		return false;
	}
	return true;
}

/* Looks in a constructor, at its start and once more after anything that runs user code. False with an Error if
 * the object has been constructed already. */
static inline bool php_mcp_object_require_new(const zend_object *std, const mcp_pool *pool) {
	if (UNEXPECTED(pool != NULL)) {
		php_mcp_object_throw_constructed(std);
		return false;
	}
	return true;
}

/* Begins what var_dump() shows of an object with the Pool that it is on. Returns an empty array if `pool` is
 * NULL: the object was never constructed. */
HashTable *php_mcp_object_begin_debug_info(const mcp_pool *pool, int *is_temporary);
/* Adds a duration as the constructors take it; UINT64_MAX is INF. */
void php_mcp_object_add_seconds(HashTable *info, const char *name, uint64_t duration_ms);

/* Returns what a get_gc handler does of an object that holds this pool and, unless it is NULL, this value. */
HashTable *php_mcp_object_show_held(const mcp_pool *pool, zval *value, zval **table, int *count);

/* A key with the bytes that it is a view of: made once by an object whose name and pool stay, and not to be moved. */
typedef struct mcp_object_kept_key {
	mcp_key key;
	mcp_key_buffer buffer;
} mcp_object_kept_key;

/* Makes the key that `name` is among the pool's keys of one kind, for a class without a scope of its own. */
mcp_key php_mcp_object_key(mcp_key_space space, const mcp_pool *pool, const zend_string *name,
	mcp_key_buffer *buffer);

static inline void php_mcp_object_keep_key(mcp_object_kept_key *kept, mcp_key_space space,
	const mcp_pool *pool, const zend_string *name) {
	kept->key = php_mcp_object_key(space, pool, name, &kept->buffer);
}

#endif
