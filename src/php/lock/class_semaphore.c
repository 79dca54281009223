/* The class McPatterns\Semaphore over the rooms of McPatterns\Lock, which hold one permit as they hold a lock: its
 * constructor and what a Lock has not. All other methods are Lock's own (@implementation-alias in the stub). */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "../pooled/pooled_object.h"
#include "../pool/class_pool.h"
#include "lock_arguments.h"

#include "class_semaphore_arginfo.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	php_mcp_lock_object_free(php_mcp_lock_object_from(std));
	zend_object_std_dtor(std);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_lock_object *object = php_mcp_lock_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		php_mcp_lock_object_add_state(object, &info);
	}
	return Z_ARRVAL(info);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return php_mcp_pooled_object_show_held(php_mcp_lock_object_from(std)->pool, NULL, table, count);
}

ZEND_METHOD(McPatterns_Semaphore, __construct) {
	mcp_lock_arguments arguments = {.ttl_number = 4, .owner_number = 5};
	zend_long permits;
	bool releases_itself = true;
	ZEND_PARSE_PARAMETERS_START(3, 6)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, php_mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_LONG(permits)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_STR_OR_NULL(arguments.owner)
		Z_PARAM_BOOL(releases_itself)
	ZEND_PARSE_PARAMETERS_END();

	mcp_lock_object *object = php_mcp_lock_object_from(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_new(&object->std, object->pool)) {
		RETURN_THROWS();
	}
	if (permits < 1 || permits > MCP_SEMAPHORE_PERMITS_MAX) {
		zend_argument_value_error(3, "must be between 1 and %d", MCP_SEMAPHORE_PERMITS_MAX);
		RETURN_THROWS();
	}
	arguments.permits = (uint32_t)permits;
	object->releases_itself = releases_itself;
	php_mcp_lock_arguments_construct(object, &arguments);
}

ZEND_METHOD(McPatterns_Semaphore, available) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	uint32_t available;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_lock_call_count_available(&call, &available)) {
		RETURN_THROWS();
	}
	RETURN_LONG(available);
}

ZEND_METHOD(McPatterns_Semaphore, permit) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_lock_call call;
	uint32_t permit;
	if (!php_mcp_lock_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_lock_call_permit(&call, &permit)) {
		RETURN_THROWS();
	}
	RETURN_LONG(permit);
}

void php_mcp_class_semaphore_register(void) {
	zend_class_entry *class_entry = register_class_McPatterns_Semaphore();
	class_entry->create_object = create;
	php_mcp_object_handlers_init(&handlers, XtOffsetOf(mcp_lock_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}
