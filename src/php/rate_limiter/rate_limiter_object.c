/* The objects of McPatterns\RateLimiter from their making to their end. */
/* SPDX-License-Identifier: MIT */
#include "rate_limiter_object.h"

#include "../host/environment.h"
#include "../objects/duration.h"
#include "../objects/enums.h"
#include "../objects/failure.h"
#include "../pooled/pooled_object.h"
#include "../pooled/slots_scratch.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	mcp_rate_limiter_object *object = php_mcp_rate_limiter_object_from(std);
	if (object->pool != NULL) {
		zend_string_release(object->name);
		zend_string_release(object->scope);
		php_mcp_pool_let_go(object->pool);
		object->pool = NULL;
	}
	zend_object_std_dtor(std);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_rate_limiter_object *object = php_mcp_rate_limiter_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		const mcp_limit *limit = &object->limit;
		add_assoc_str(&info, "name", zend_string_copy(object->name));
		add_assoc_long(&info, "limit", (zend_long)limit->limit);
		php_mcp_object_add_seconds(Z_ARRVAL(info), "period", limit->period_ms);
		zend_object *how = php_mcp_enums_limiting(limit->how);
		GC_ADDREF(how);
		add_assoc_object(&info, "how", how);
		if (limit->how == MCP_LIMITING_SLIDING) {
			add_assoc_long(&info, "slots", limit->slots);
		} else if (limit->how == MCP_LIMITING_BUCKET) {
			add_assoc_long(&info, "burst", (zend_long)limit->burst);
		}
		php_mcp_when_down_show_bool(&info, &object->when_down);
	}
	return Z_ARRVAL(info);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return php_mcp_pooled_object_show_held(php_mcp_rate_limiter_object_from(std)->pool, NULL, table,
		count);
}

void php_mcp_rate_limiter_object_register(zend_class_entry *type) {
	type->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(mcp_rate_limiter_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}

zend_string *php_mcp_rate_limiter_object_scope(const zend_string *name) {
	char first[MCP_KEY_FIRST_NAME_MAX];
	size_t length = mcp_key_write_first_name(first, MCP_SPACE_RATE,
		mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)));
	return zend_string_concat2(first, length, ":", 1);
}

bool php_mcp_rate_limiter_call_begin(mcp_rate_limiter_call *call, zend_object *std,
	const zend_string *who) {
	mcp_rate_limiter_object *object = php_mcp_rate_limiter_object_from(std);
	if (!php_mcp_object_require_constructed(std, object->pool)) {
		return false;
	}
	mcp_key_parts parts = {
		.space = MCP_SPACE_RATE,
		.prefix = php_mcp_pool_prefix(object->pool),
		.scope = mcp_bytes_of(ZSTR_VAL(object->scope), ZSTR_LEN(object->scope)),
		.name = mcp_bytes_of(ZSTR_VAL(who), ZSTR_LEN(who)),
	};
	call->object = object;
	call->key = mcp_key_make(&call->buffer, &parts);
	call->rate = (mcp_rate){
		.store = php_mcp_pool_store(object->pool),
		.environment = php_mcp_environment_get(),
		.key = &call->key,
		.limit = &object->limit,
	};
	bool is_bucket = object->limit.how == MCP_LIMITING_BUCKET;
	call->memory = is_bucket
		? NULL
		: php_mcp_slots_scratch_allocate(mcp_limit_slots_summed(&object->limit), &call->scratch);
	return true;
}

bool php_mcp_rate_limiter_call_steps_in(const mcp_rate_limiter_call *call, mcp_status status) {
	mcp_rate_limiter_object *object = call->object;
	return php_mcp_when_down_steps_in(&object->when_down, status, object->pool, &call->key,
		object->name);
}

static void throw_failure(const mcp_rate_limiter_call *call, mcp_status status,
	const char *action) {
	const zend_string *shown = call->object->name;
	mcp_bytes name = mcp_bytes_of(ZSTR_VAL(shown), ZSTR_LEN(shown));
	if (status == MCP_EXISTS && call->object->limit.how != MCP_LIMITING_BUCKET) {
		php_mcp_failure_throw_because(status, action, name,
			"this process stood still over the ends of three slots; nothing was counted");
		return;
	}
	php_mcp_failure_throw_for_key(status, action, name, call->rate.store, &call->key);
}

bool php_mcp_rate_limiter_call_end(mcp_rate_limiter_call *call, mcp_status status,
	const char *action) {
	if (call->memory != NULL) {
		efree(call->memory);
	}
	if (status != MCP_OK) {
		throw_failure(call, status, action);
	}
	return status == MCP_OK;
}
