/* The objects of McPatterns\MemberSet from their making to their end. */
/* SPDX-License-Identifier: MIT */
#include "member_set_object.h"

#include "../environment.h"
#include "../exceptions.h"
#include "../failure.h"
#include "../object.h"
#include "member_changes.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	mcp_member_set_object *object = mcp_member_set_object_from(std);
	if (object->pool != NULL) {
		zend_string_release(object->name);
		mcp_pool_let_go(object->pool);
		object->pool = NULL;
	}
	zend_object_std_dtor(std);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_member_set_object *object = mcp_member_set_object_from(std);
	zval info;
	ZVAL_ARR(&info, mcp_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		add_assoc_str(&info, "name", zend_string_copy(object->name));
		mcp_object_add_seconds(Z_ARRVAL(info), "ttl", object->ttl_ms);
		add_assoc_long(&info, "shards", object->shards);
	}
	return Z_ARRVAL(info);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return mcp_object_show_held(mcp_member_set_object_from(std)->pool, NULL, table, count);
}

void mcp_member_set_object_register(zend_class_entry *type) {
	type->create_object = create;
	mcp_object_handlers_init(&handlers, XtOffsetOf(mcp_member_set_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}

bool mcp_member_set_call_begin(mcp_member_set_call *call, zend_object *std) {
	mcp_member_set_object *object = mcp_member_set_object_from(std);
	if (!mcp_object_require_constructed(std, object->pool)) {
		return false;
	}
	call->object = object;
	call->key = mcp_object_key(MCP_SPACE_SET, object->pool, object->name, &call->buffer);
	call->set = (mcp_member_set){
		.store = mcp_pool_store(object->pool),
		.environment = mcp_environment_get(),
		.key = &call->key,
		.memory = mcp_member_changes_memory,
		.ttl_ms = object->ttl_ms,
		.shards = object->shards,
		.compact_above = MCP_MEMBER_SET_COMPACT_ABOVE,
	};
	return true;
}

void mcp_member_set_call_throw(const mcp_member_set_call *call, mcp_status status,
	const char *action) {
	const zend_string *name = call->object->name;
	mcp_bytes shown = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
	if (status == MCP_NOT_STORED) {
		mcp_failure_throw_about(mcp_stored_value_exception, "The member set", shown,
			"has no room for it: a shard is full (more shards help), or the server has no memory for it");
		return;
	}
	/* Each shard has a server of its own; with one shard, that is the one. */
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&call->set, &buffer, 0);
	mcp_store *failed = mcp_status_is_failure(status) ? mcp_store_failed(call->set.store) : NULL;
	bool is_alone = call->set.shards == 1;
	mcp_failure_throw(status, action, shown,
		is_alone ? mcp_store_owner(call->set.store, &key) : failed);
}
