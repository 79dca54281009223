/* The class McPatterns\Semaphore: a Lock with numbered permits. Methods not found here are Lock's own
 * (@implementation-alias in the stub). */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/options.h"
#include "../pool/class_pool.h"
#include "lock_object.h"

#include "class_semaphore_arginfo.h"

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
	if (!php_mcp_options_is_between(3, permits, 1, MCP_SEMAPHORE_PERMITS_MAX)) {
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
	php_mcp_lock_handlers_register(register_class_McPatterns_Semaphore());
}
