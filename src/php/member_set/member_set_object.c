/* The objects of McPatterns\MemberSet from their making to their end. */
/* SPDX-License-Identifier: MIT */
#include "member_set_object.h"

#include "../host/environment.h"
#include "../objects/exceptions.h"
#include "../objects/failure.h"
#include "../objects/object.h"
#include "../pool/pool_key.h"
#include "member_changes.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_member_set_object *object = php_mcp_member_set_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_named_object_begin_debug_info(&object->named, is_temporary));
	if (object->named.pool != NULL) {
		php_mcp_object_add_seconds(Z_ARRVAL(info), "ttl", object->ttl_ms);
		add_assoc_long(&info, "shards", object->shards);
	}
	return Z_ARRVAL(info);
}

void php_mcp_member_set_object_register(zend_class_entry *type) {
	type->create_object = create;
	php_mcp_named_object_handlers_init(&handlers, offsetof(mcp_member_set_object, named.std),
		get_debug_info);
}

bool php_mcp_member_set_call_begin(mcp_member_set_call *call, zend_object *std) {
	mcp_member_set_object *object = php_mcp_member_set_object_from(std);
	if (!php_mcp_object_require_constructed(std, object->named.pool)) {
		return false;
	}
	call->object = object;
	call->key =
		php_mcp_pool_key_make(MCP_SPACE_SET, object->named.pool, object->named.name, &call->buffer);
	call->set = (mcp_member_set){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &call->key,
		.memory = php_mcp_member_changes_memory,
		.ttl_ms = object->ttl_ms,
		.shards = object->shards,
		.compact_above = MCP_MEMBER_SET_COMPACT_ABOVE,
	};
	return true;
}

void php_mcp_member_set_call_throw(const mcp_member_set_call *call, mcp_status status,
	const char *action) {
	mcp_bytes shown = php_mcp_named_object_name(&call->object->named);
	if (status == MCP_NOT_STORED) {
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The member set", shown,
			"has no room for it: a shard is full (more shards help), or the server has no memory for it");
		return;
	}
	/* Each shard has a server of its own; with one shard, that is the one. */
	mcp_key_buffer buffer;
	mcp_key key = mcp_member_set_key(&call->set, &buffer, 0);
	mcp_store *failed = mcp_status_is_failure(status) ? mcp_store_failed(call->set.store) : NULL;
	bool is_alone = call->set.shards == 1;
	php_mcp_failure_throw(status, action, shown,
		is_alone ? mcp_store_owner(call->set.store, &key) : failed);
}
