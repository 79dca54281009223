/* Common parts of objects on a Pool: construction, debug info, garbage collection, failures. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOLED_POOLED_OBJECT_H
#define MCP_PHP_POOLED_POOLED_OBJECT_H

#include "../../store/store.h"
#include "../objects/object.h"
#include "../pool/pool.h"
#include "php.h"

#include <stddef.h>

/* Start the debug info with the Pool. Returns an empty array if `pool` is NULL, because the object was never
 * constructed. */
HashTable *php_mcp_pooled_object_begin_debug_info(const mcp_pool *pool, int *is_temporary);

/* Result of a get_gc handler for an object that holds this pool and, unless NULL, this value. */
HashTable *php_mcp_pooled_object_show_held(const mcp_pool *pool, zval *value, zval **table,
	int *count);

/* Result of a method if the server fails, from a constructor argument. All zero: the object throws. */
typedef struct mcp_when_down {
	bool is_given;
	zend_long answer;
} mcp_when_down;

/* Create the result from a nullable parameter. */
static inline mcp_when_down php_mcp_when_down_of(zend_long answer, bool is_null) {
	return (mcp_when_down){.is_given = !is_null, .answer = answer};
}

/* Base of the objects with a Pool and a name. Constructors set `when_down`. */
typedef struct mcp_named_object {
	mcp_pool *pool;         /* a reference; NULL until constructed */
	zend_string *name;      /* a reference */
	mcp_pool_kept_key kept; /* key of the name */
	mcp_when_down when_down;
	zend_object std; /* must be the last member here and in the derived struct */
} mcp_named_object;

/* Class of such objects. It must be static, because the objects refer to its handlers. */
typedef struct mcp_named_class {
	zend_object_handlers handlers; /* must be the first member */
	size_t offset;                 /* offset of the mcp_named_object in the derived struct */
	/* Adds to the output of var_dump(), after Pool and name. */
	void (*show)(const mcp_named_object *object, zval *info);
	/* Releases the other references of a constructed object. NULL: none. */
	void (*release)(mcp_named_object *object);
	zend_class_entry *type;
	struct mcp_named_class *next;
} mcp_named_class;

/* Register the class at start-up. Afterwards, its handlers can be replaced. */
void php_mcp_named_class_register(mcp_named_class *named_class, zend_class_entry *type);

static inline mcp_named_object *php_mcp_named_object_from(zend_object *std) {
	return (mcp_named_object *)((char *)std - offsetof(mcp_named_object, std));
}

/* Returns the derived struct. */
static inline void *php_mcp_named_object_derived(const zend_object *std) {
	return (char *)std - std->handlers->offset;
}

/* Returns the derived struct, or NULL with an Error if the object was never constructed. */
static inline void *php_mcp_named_object_get(zend_object *std) {
	return php_mcp_object_require_constructed(std, php_mcp_named_object_from(std)->pool)
		? php_mcp_named_object_derived(std)
		: NULL;
}

/* Validate a constructor's first two parameters. Returns NULL with an exception about one of them. */
mcp_pool *php_mcp_named_object_judge(zend_object *pool_object, const zend_string *name);
/* Like php_mcp_named_object_judge(), at the start of a constructor: also NULL with an Error if the object is already
 * constructed. */
static inline mcp_pool *php_mcp_named_object_judge_new(const mcp_named_object *object,
	zend_object *pool_object, const zend_string *name) {
	return php_mcp_object_require_new(&object->std, object->pool)
		? php_mcp_named_object_judge(pool_object, name)
		: NULL;
}
/* Take references to pool and name. The object is then constructed. `space`: key space of the name. */
void php_mcp_named_object_construct(mcp_named_object *object, mcp_key_space space, mcp_pool *pool,
	zend_string *name);
/* Release all references. A second call does nothing. */
void php_mcp_named_object_let_go(mcp_named_object *object);

/* Throw 'Cannot <action> "<name>" on <server of the name's key>: <reason>'. */
void php_mcp_named_object_throw(const mcp_named_object *object, mcp_status status,
	const char *action, mcp_store *store);

/* Add the result to var_dump(), as a bool or a number. */
void php_mcp_when_down_show(zval *info, const mcp_when_down *when_down, bool is_bool);

/* Decide the result of a call of `object` that returned `status`. `key` is the object's key, or the first part of the
 * keys of its slots. Returns true if the method must return the default `when_down`; this use is counted and reported
 * to the Pool's listener. Returns false if the method must throw the status, or if the status is MCP_OK. Runs no user
 * code. */
bool php_mcp_when_down_steps_in(const mcp_when_down *when_down, mcp_status status,
	const mcp_named_object *object, const mcp_key *key);

/* Returns true if the object's own default covers the failure. Otherwise throws the failure, with the server of the
 * name's key, and returns false. */
bool php_mcp_named_object_is_covered(const mcp_named_object *object, mcp_status status,
	const char *action, mcp_store *store);

/* Buffers for reading `count` items, in one block. Free with efree(scratch.keys). */
typedef struct mcp_read_scratch {
	mcp_key *keys;
	mcp_op *replies;
	mcp_key_buffer *buffers;
	void *rest; /* further bytes, as many as requested */
} mcp_read_scratch;

mcp_read_scratch php_mcp_read_scratch_make(size_t count, size_t rest);

#endif
