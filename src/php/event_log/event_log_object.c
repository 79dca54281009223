/* The objects of McPatterns\EventLog from their making to their end, and the way from one of them to what the
 * pattern asks for. */
/* SPDX-License-Identifier: MIT */
#include "event_log_object.h"

#include "../host/environment.h"
#include "../objects/failure.h"
#include "../objects/object.h"
#include "../pool/pool_key.h"
#include "../objects/window_arguments.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_event_log_object *object = php_mcp_event_log_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_named_object_begin_debug_info(&object->named, is_temporary));
	if (object->named.pool != NULL) {
		php_mcp_window_arguments_show(Z_ARRVAL(info), "age", &object->window);
		add_assoc_bool(&info, "quiet", object->when_down.is_given);
	}
	return Z_ARRVAL(info);
}

void php_mcp_event_log_object_register(zend_class_entry *type) {
	type->create_object = create;
	php_mcp_named_object_handlers_init(&handlers, offsetof(mcp_event_log_object, named.std),
		get_debug_info);
}

void php_mcp_event_log_call_renew(mcp_event_log_call *call, mcp_event_log_object *object) {
	call->object = object;
	call->key =
		php_mcp_pool_key_make(MCP_SPACE_LOG, object->named.pool, object->named.name, &call->buffer);
	call->log = (mcp_event_log){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &call->key,
		.window = object->window,
		.signing_keys = php_mcp_pool_format(object->named.pool)->signing_keys,
	};
}

bool php_mcp_event_log_call_begin(mcp_event_log_call *call, zend_object *std) {
	mcp_event_log_object *object = php_mcp_event_log_object_from(std);
	if (!php_mcp_object_require_constructed(std, object->named.pool)) {
		return false;
	}
	php_mcp_event_log_call_renew(call, object);
	return true;
}

void php_mcp_event_log_call_throw(const mcp_event_log_call *call, mcp_status status,
	const char *action) {
	php_mcp_failure_throw_for_key(status, action, php_mcp_event_log_object_name(call->object),
		call->log.store, &call->key);
}

void php_mcp_event_log_call_fail(const mcp_event_log_call *call, mcp_status status,
	const char *action) {
	const mcp_named_object *named = &call->object->named;
	if (!php_mcp_when_down_steps_in(&call->object->when_down, status, named->pool, &call->key,
			named->name)) {
		php_mcp_event_log_call_throw(call, status, action);
	}
}
