/* Does the first and the last work of every method of McPatterns\Counter, and lets go of what its object holds. */
/* SPDX-License-Identifier: MIT */
#include "counter_object.h"

#include "../host/environment.h"
#include "../objects/failure.h"
#include "../objects/object.h"

void php_mcp_counter_call_renew(mcp_counter_call *call, mcp_counter_object *object) {
	call->object = object;
	call->counter = (mcp_counter){
		.store = php_mcp_pool_store(object->pool),
		.environment = php_mcp_environment_get(),
		.key = &object->kept.key,
		.ttl_ms = object->ttl_ms,
		.wait_ms = object->wait_ms,
	};
}

bool php_mcp_counter_call_begin(mcp_counter_call *call, zend_object *std) {
	mcp_counter_object *object = php_mcp_counter_object_from(std);
	if (!php_mcp_object_require_constructed(std, object->pool)) {
		return false;
	}
	php_mcp_counter_call_renew(call, object);
	return true;
}

void php_mcp_counter_call_throw(const mcp_counter_call *call, mcp_status status,
	const char *action) {
	const zend_string *name = call->object->name;
	php_mcp_failure_throw_for_key(status, action, mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)),
		call->counter.store, call->counter.key);
}

void php_mcp_counter_object_free(mcp_counter_object *object) {
	if (object->pool != NULL) {
		zval_ptr_dtor(&object->initial);
		zend_string_release(object->name);
		php_mcp_pool_let_go(object->pool);
		object->pool = NULL;
	}
}
