/* The ends of objects that hold a Pool and a name, and the beginnings of what they show. */
/* SPDX-License-Identifier: MIT */
#include "named_object.h"

#include "pooled_object.h"
#include "../pool/class_pool.h"

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
		zend_argument_value_error(2, "cannot be empty");
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
