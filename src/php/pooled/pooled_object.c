/* Common parts of objects on a Pool: debug info, release, and slot buffers. */
/* SPDX-License-Identifier: MIT */
#include "pooled_object.h"

#include "../pool/class_pool.h"
#include "php.h"

static inline mcp_named_object *php_mcp_named_object_from(zend_object *object) {
	return (mcp_named_object *)((char *)object - offsetof(mcp_named_object, std));
}

HashTable *php_mcp_pooled_object_begin_debug_info(const mcp_pool *pool, int *is_temporary) {
	zval info;
	*is_temporary = 1;
	array_init(&info);
	if (pool != NULL && php_mcp_pool_object(pool) != NULL) {
		GC_ADDREF(php_mcp_pool_object(pool));
		add_assoc_object(&info, "pool", php_mcp_pool_object(pool));
	}
	return Z_ARRVAL(info);
}

HashTable *php_mcp_pooled_object_show_held(const mcp_pool *pool, zval *value, zval **table,
	int *count) {
	zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();
	if (pool != NULL && php_mcp_pool_object(pool) != NULL) {
		zend_get_gc_buffer_add_obj(buffer, php_mcp_pool_object(pool));
	}
	if (value != NULL) {
		zend_get_gc_buffer_add_zval(buffer, value);
	}
	zend_get_gc_buffer_use(buffer, table, count);
	return NULL;
}

static void free_object(zend_object *std) {
	mcp_named_object *object = php_mcp_named_object_from(std);
	if (object->pool != NULL) {
		zend_string_release(object->name);
		php_mcp_pool_let_go(object->pool);
		object->pool = NULL;
	}
	zend_object_std_dtor(std);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return php_mcp_pooled_object_show_held(php_mcp_named_object_from(std)->pool, NULL, table,
		count);
}

void php_mcp_named_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_get_debug_info_t get_debug_info) {
	php_mcp_object_handlers_init(handlers, offset, free_object);
	handlers->get_gc = get_gc;
	handlers->get_debug_info = get_debug_info;
}

mcp_pool *php_mcp_named_object_judge(zend_object *pool_object, const zend_string *name) {
	mcp_pool *pool = php_mcp_class_pool_get(pool_object);
	if (pool != NULL && ZSTR_LEN(name) == 0) {
		zend_argument_value_error(2, "must not be empty");
		return NULL;
	}
	return pool;
}

void php_mcp_named_object_hold(mcp_named_object *object, mcp_pool *pool, zend_string *name) {
	object->name = zend_string_copy(name);
	object->pool = php_mcp_pool_hold(pool);
}

HashTable *php_mcp_named_object_begin_debug_info(const mcp_named_object *object,
	int *is_temporary) {
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		add_assoc_str(&info, "name", zend_string_copy(object->name));
	}
	return Z_ARRVAL(info);
}

void *php_mcp_slots_scratch_allocate(size_t slots, mcp_slots_scratch *scratch) {
	size_t each = sizeof(mcp_key) + sizeof(mcp_op) + sizeof(uint64_t) + sizeof(mcp_key_buffer);
	char *memory = safe_emalloc(slots, each, 0);
	scratch->keys = (mcp_key *)memory;
	scratch->replies = (mcp_op *)(scratch->keys + slots);
	scratch->numbers = (uint64_t *)(scratch->replies + slots);
	scratch->buffers = (mcp_key_buffer *)(scratch->numbers + slots);
	return memory;
}
