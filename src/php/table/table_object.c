/* The objects of McPatterns\Table from their making to their end. */
/* SPDX-License-Identifier: MIT */
#include "table_object.h"

#include "../host/environment.h"
#include "../objects/exceptions.h"
#include "../objects/failure.h"
#include "../member_set/member_changes.h"
#include "../objects/object.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_table_object *object = php_mcp_table_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_named_object_begin_debug_info(&object->named, is_temporary));
	if (object->named.pool != NULL) {
		php_mcp_object_add_seconds(Z_ARRVAL(info), "ttl", object->ttl_ms);
		add_assoc_long(&info, "shards", object->shards);
	}
	return Z_ARRVAL(info);
}

void php_mcp_table_object_register(zend_class_entry *type) {
	type->create_object = create;
	php_mcp_named_object_handlers_init(&handlers, offsetof(mcp_table_object, named.std),
		get_debug_info);
}

mcp_table_object *php_mcp_table_object_get(zend_object *std) {
	mcp_table_object *object = php_mcp_table_object_from(std);
	return php_mcp_object_require_constructed(std, object->named.pool) ? object : NULL;
}

void php_mcp_table_call_renew(mcp_table_call *call, mcp_table_object *object) {
	mcp_bytes prefix = php_mcp_pool_prefix(object->named.pool);
	call->object = object;
	call->index_key = mcp_table_index_key(&call->buffer, prefix, &object->key_name);
	call->pruning = (mcp_member_pruning){mcp_table_prune, &call->table};
	call->table = (mcp_table){
		.index =
			{
				.store = php_mcp_pool_store(object->named.pool),
				.environment = php_mcp_environment_get(),
				.key = &call->index_key,
				.memory = php_mcp_member_changes_memory,
				.pruning = &call->pruning,
				.shards = object->shards,
				.compact_above = MCP_MEMBER_SET_COMPACT_ABOVE,
			},
		.prefix = prefix,
		.name = &object->key_name,
		.signing_keys = php_mcp_pool_format(object->named.pool)->signing_keys,
		.ttl_ms = object->ttl_ms,
	};
}

void php_mcp_table_call_throw(const mcp_table_call *call, mcp_status status, const char *action,
	const zend_string *id) {
	mcp_bytes name = php_mcp_table_object_name(call->object);
	mcp_store *failed =
		mcp_status_is_failure(status) ? mcp_store_failed(call->table.index.store) : NULL;
	if (status == MCP_NOT_STORED) {
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The table", name,
			"has no room for the id: a shard of its index is full (more shards help), or the server has no memory for it");
		return;
	}
	php_mcp_failure_throw(status, action,
		id != NULL ? mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id)) : name, failed);
}
