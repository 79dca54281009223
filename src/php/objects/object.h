/* The common part of all our classes' objects: memory that begins zeroed, handlers without clone by which no two are
 * equal, and the errors about construction. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_OBJECT_H
#define MCP_PHP_OBJECT_H

#include "php.h"

/* Makes the class's handlers at start-up. `offset` is where its struct has the zend_object, its last member;
 * `free_object` ends with zend_object_std_dtor(). */
void php_mcp_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_free_obj_t free_object);

/* Makes a new object of a class with these handlers, its struct zeroed. */
zend_object *php_mcp_object_create(zend_class_entry *type, const zend_object_handlers *handlers);

/* Says whether an object of the class has the class's struct in front. Ask this of each that is an argument: of a class in
 * disable_classes PHP makes objects without it, and without methods. */
static inline bool php_mcp_object_has(const zend_object *std,
	const zend_object_handlers *handlers) {
	return EXPECTED(std->handlers == handlers);
}

/* Throws "McPatterns\Lock object was never constructed" */
void php_mcp_object_throw_unconstructed(const zend_object *std);
/* Throws "Cannot call the constructor of a McPatterns\Lock twice" */
void php_mcp_object_throw_constructed(const zend_object *std);

/* Looks at the start of a method for what only the constructor sets. False with an Error if it has not. */
static inline bool php_mcp_object_require_constructed(const zend_object *std, const void *set) {
	if (UNEXPECTED(set == NULL)) {
		php_mcp_object_throw_unconstructed(std);
		return false;
	}
	return true;
}

/* Looks in a constructor, at its start and once more after anything that runs user code. False with an Error if
 * the object has been constructed already. */
static inline bool php_mcp_object_require_new(const zend_object *std, const void *set) {
	if (UNEXPECTED(set != NULL)) {
		php_mcp_object_throw_constructed(std);
		return false;
	}
	return true;
}

/* Adds a duration as the constructors take it; UINT64_MAX is INF. */
void php_mcp_object_add_seconds(HashTable *info, const char *name, uint64_t duration_ms);

#endif
