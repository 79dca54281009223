/* Shared parts of all classes' objects: zeroed memory, handlers that forbid clone and comparison, construction
 * errors. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_OBJECT_H
#define MCP_PHP_OBJECT_H

#include "../../core/bytes.h"
#include "php.h"

static inline mcp_bytes php_mcp_bytes_of(const zend_string *string) {
	return mcp_bytes_of(ZSTR_VAL(string), ZSTR_LEN(string));
}

/* Initializes a class's handlers at start-up. `offset`: of the zend_object, the last member of the class's struct.
 * `free_object` must end with zend_object_std_dtor(). */
void php_mcp_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_free_obj_t free_object);

/* Returns a new object with its struct zeroed. */
zend_object *php_mcp_object_create(zend_class_entry *type, const zend_object_handlers *handlers);

/* True if the object has its class's struct. Check each object argument: for a class in disable_classes, PHP creates
 * objects without the struct and without methods. */
static inline bool php_mcp_object_has(const zend_object *std,
	const zend_object_handlers *handlers) {
	return EXPECTED(std->handlers == handlers);
}

/* Throws "McPatterns\Lock object was never constructed" */
void php_mcp_object_throw_unconstructed(const zend_object *std);
/* Throws "Cannot call the constructor of a McPatterns\Lock twice" */
void php_mcp_object_throw_constructed(const zend_object *std);

/* Call at the start of a method. `set` is a member that only the constructor sets. False with an Error. */
static inline bool php_mcp_object_require_constructed(const zend_object *std, const void *set) {
	if (UNEXPECTED(set == NULL)) {
		php_mcp_object_throw_unconstructed(std);
		return false;
	}
	return true;
}

/* Call in a constructor, at the start and again after user code ran. False with an Error if the object is constructed
 * already. */
static inline bool php_mcp_object_require_new(const zend_object *std, const void *set) {
	if (UNEXPECTED(set != NULL)) {
		php_mcp_object_throw_constructed(std);
		return false;
	}
	return true;
}

/* UINT64_MAX is shown as INF. */
void php_mcp_object_add_seconds(HashTable *info, const char *name, uint64_t duration_ms);

#endif
