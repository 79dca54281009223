/* The objects of McPatterns\EventLog from their making to their end, and the way from one of them to what the
 * pattern asks for. */
/* SPDX-License-Identifier: MIT */
#include "event_log_object.h"

#include "../environment.h"
#include "../failure.h"
#include "../object.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	mcp_event_log_object *object = mcp_event_log_object_from(std);
	if (object->pool != NULL) {
		zend_string_release(object->name);
		mcp_pool_let_go(object->pool);
		object->pool = NULL;
	}
	zend_object_std_dtor(std);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_event_log_object *object = mcp_event_log_object_from(std);
	zval info;
	ZVAL_ARR(&info, mcp_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		add_assoc_str(&info, "name", zend_string_copy(object->name));
		add_assoc_long(&info, "age", object->window.length_s);
		add_assoc_long(&info, "slots", object->window.slots);
	}
	return Z_ARRVAL(info);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return mcp_object_show_held(mcp_event_log_object_from(std)->pool, NULL, table, count);
}

void mcp_event_log_object_register(zend_class_entry *type) {
	type->create_object = create;
	mcp_object_handlers_init(&handlers, XtOffsetOf(mcp_event_log_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}

void mcp_event_log_call_renew(mcp_event_log_call *call, mcp_event_log_object *object) {
	call->object = object;
	call->key = mcp_object_key(MCP_SPACE_LOG, object->pool, object->name, &call->buffer);
	call->log = (mcp_event_log){
		.store = mcp_pool_store(object->pool),
		.environment = mcp_environment_get(),
		.key = &call->key,
		.window = object->window,
		.signing_keys = mcp_pool_format(object->pool)->signing_keys,
	};
}

bool mcp_event_log_call_begin(mcp_event_log_call *call, zend_object *std) {
	mcp_event_log_object *object = mcp_event_log_object_from(std);
	if (!mcp_object_require_constructed(std, object->pool)) {
		return false;
	}
	mcp_event_log_call_renew(call, object);
	return true;
}

void mcp_event_log_call_throw(const mcp_event_log_call *call, mcp_status status,
	const char *action) {
	mcp_failure_throw_for_key(status, action, mcp_event_log_object_name(call->object),
		call->log.store, &call->key);
}
