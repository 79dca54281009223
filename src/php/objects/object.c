/* Creation, handlers and construction errors that all classes share. */
/* SPDX-License-Identifier: MIT */
#include "object.h"

#include "duration.h"

/* No two objects are equal. PHP's comparison reads properties: without properties, all locks would be equal. */
static int compare(zval *one, zval *other) {
	ZEND_COMPARE_OBJECTS_FALLBACK(one, other);
	return ZEND_UNCOMPARABLE;
}

void php_mcp_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_free_obj_t free_object) {
	memcpy(handlers, &std_object_handlers, sizeof(*handlers));
	handlers->offset = (int)offset;
	handlers->free_obj = free_object;
	handlers->clone_obj = NULL;
	handlers->compare = compare;
}

zend_object *php_mcp_object_create(zend_class_entry *type, const zend_object_handlers *handlers) {
	size_t offset = (size_t)handlers->offset;
	char *object = zend_object_alloc(offset + sizeof(zend_object), type);
	zend_object *std = (zend_object *)(object + offset);
	zend_object_std_init(std, type);
	object_properties_init(std, type);
	std->handlers = handlers;
	return std;
}

void php_mcp_object_throw_unconstructed(const zend_object *std) {
	zend_throw_error(NULL, "%s object was never constructed", ZSTR_VAL(std->ce->name));
}

void php_mcp_object_throw_constructed(const zend_object *std) {
	zend_throw_error(NULL, "Cannot call the constructor of a %s twice", ZSTR_VAL(std->ce->name));
}

void php_mcp_object_add_seconds(HashTable *info, const char *name, uint64_t duration_ms) {
	zval array;
	ZVAL_ARR(&array, info);
	add_assoc_double(&array, name, php_mcp_duration_seconds(duration_ms));
}
