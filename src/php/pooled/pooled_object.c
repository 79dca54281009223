/* Shows the Pool of an object that is on one. */
/* SPDX-License-Identifier: MIT */
#include "pooled_object.h"

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
