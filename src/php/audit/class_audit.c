/* The class McPatterns\Audit: holds its Cache, which borrows it while it lives. */
/* SPDX-License-Identifier: MIT */
#include "../cache/audit/audits.h"
#include "../cache/remember/after_response.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "audit_check.h"

#include "class_audit_arginfo.h"

#define DEFAULT_RATE 0.001
/* As audits.c draws. */
#define ALL ((double)(UINT64_C(1) << 53))

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static mcp_audit *audit_from(zend_object *std) {
	return (mcp_audit *)((char *)std - offsetof(mcp_audit, std));
}

static void free_object(zend_object *std) {
	mcp_audit *audit = audit_from(std);
	mcp_cache_object *object = audit->object;
	if (object != NULL) {
		audit->object = NULL;
		if (object->own_audit == audit) {
			object->own_audit = NULL;
		}
		if (!php_mcp_user_call_is_none(&audit->compare)) {
			php_mcp_user_call_release(&audit->compare);
		}
		OBJ_RELEASE(&object->std);
	}
	zend_object_std_dtor(std);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	mcp_audit *audit = audit_from(std);
	zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();
	if (audit->object != NULL) {
		zend_get_gc_buffer_add_obj(buffer, &audit->object->std);
		php_mcp_user_call_show(&audit->compare, buffer);
	}
	zend_get_gc_buffer_use(buffer, table, count);
	return NULL;
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_audit *audit = audit_from(std);
	zval info;
	array_init(&info);
	*is_temporary = true;
	if (audit->object != NULL) {
		add_assoc_str(&info, "prefix", zend_string_copy(audit->object->scope));
		add_assoc_double(&info, "rate", (double)audit->threshold / ALL);
		add_assoc_bool(&info, "isOn", audit->object->own_audit == audit);
	}
	return Z_ARRVAL(info);
}

static void construct(mcp_audit *audit, mcp_cache_object *object, double rate,
	const mcp_user_call *compare) {
	GC_ADDREF(&object->std);
	audit->object = object;
	audit->threshold = (uint64_t)(rate * ALL);
	audit->compare = *compare;
	if (!php_mcp_user_call_is_none(compare)) {
		php_mcp_user_call_keep(&audit->compare);
	}
	object->own_audit = audit;
}

ZEND_METHOD(McPatterns_Audit, __construct) {
	zend_object *cache;
	double rate = DEFAULT_RATE;
	bool rate_is_null = true;
	mcp_user_call compare = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_OBJ_OF_CLASS(cache, php_mcp_cache_class_entry)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(rate, rate_is_null)
		Z_PARAM_FUNC_OR_NULL(compare.info, compare.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_audit *audit = audit_from(Z_OBJ_P(ZEND_THIS));
	mcp_cache_object *object = php_mcp_cache_object_take(cache);
	if (object == NULL || !php_mcp_object_require_new(&audit->std, audit->object)) {
		RETURN_THROWS();
	}
	if (!rate_is_null && !(rate >= 0 && rate <= 1)) {
		zend_argument_value_error(2, "must be between 0 and 1");
		RETURN_THROWS();
	}
	construct(audit, php_mcp_cache_object_base(object), rate_is_null ? DEFAULT_RATE : rate,
		&compare);
}

void php_mcp_class_audit_register(void) {
	zend_class_entry *type = register_class_McPatterns_Audit();
	type->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(mcp_audit, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
	php_mcp_after_response_follow(php_mcp_audit_check_last);
}
