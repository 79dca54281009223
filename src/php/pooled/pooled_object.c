/* Common parts of objects on a Pool: debug info, release, slot buffers, and defaults instead of failures, by the same
 * table that selects ServerException. */
/* SPDX-License-Identifier: MIT */
#include "pooled_object.h"

#include "../../core/metrics/metrics.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../pool/class_pool.h"
#include "../pool/pool_listener.h"

static mcp_named_object *from_std(zend_object *object) {
	return (mcp_named_object *)((char *)object - offsetof(mcp_named_object, std));
}

HashTable *php_mcp_pooled_object_begin_debug_info(const mcp_pool *pool, int *is_temporary) {
	zval info;
	*is_temporary = 1;
	array_init(&info);
	if (pool != NULL && php_mcp_pool_object(pool) != NULL) {
		GC_ADDREF(php_mcp_pool_object(pool));
		add_assoc_object(&info, "pool", php_mcp_pool_object(pool));
	}
	return Z_ARRVAL(info);
}

HashTable *php_mcp_pooled_object_show_held(const mcp_pool *pool, zval *value, zval **table,
	int *count) {
	zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();
	if (pool != NULL && php_mcp_pool_object(pool) != NULL) {
		zend_get_gc_buffer_add_obj(buffer, php_mcp_pool_object(pool));
	}
	if (value != NULL) {
		zend_get_gc_buffer_add_zval(buffer, value);
	}
	zend_get_gc_buffer_use(buffer, table, count);
	return NULL;
}

static void free_object(zend_object *std) {
	mcp_named_object *object = from_std(std);
	if (object->pool != NULL) {
		zend_string_release(object->name);
		php_mcp_pool_let_go(object->pool);
		object->pool = NULL;
	}
	zend_object_std_dtor(std);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return php_mcp_pooled_object_show_held(from_std(std)->pool, NULL, table, count);
}

void php_mcp_named_object_handlers_init(zend_object_handlers *handlers, size_t offset,
	zend_object_get_debug_info_t get_debug_info) {
	php_mcp_object_handlers_init(handlers, offset, free_object);
	handlers->get_gc = get_gc;
	handlers->get_debug_info = get_debug_info;
}

mcp_pool *php_mcp_named_object_judge(zend_object *pool_object, const zend_string *name) {
	mcp_pool *pool = php_mcp_class_pool_get(pool_object);
	if (pool != NULL && ZSTR_LEN(name) == 0) {
		zend_argument_value_error(2, "must not be empty");
		return NULL;
	}
	return pool;
}

void php_mcp_named_object_hold(mcp_named_object *object, mcp_pool *pool, zend_string *name) {
	object->name = zend_string_copy(name);
	object->pool = php_mcp_pool_hold(pool);
}

HashTable *php_mcp_named_object_begin_debug_info(const mcp_named_object *object,
	int *is_temporary) {
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		add_assoc_str(&info, "name", zend_string_copy(object->name));
	}
	return Z_ARRVAL(info);
}

void *php_mcp_slots_scratch_allocate(size_t slots, mcp_slots_scratch *scratch) {
	size_t each = sizeof(mcp_key) + sizeof(mcp_op) + sizeof(uint64_t) + sizeof(mcp_key_buffer);
	char *memory = safe_emalloc(slots, each, 0);
	scratch->keys = (mcp_key *)memory;
	scratch->replies = (mcp_op *)(scratch->keys + slots);
	scratch->numbers = (uint64_t *)(scratch->replies + slots);
	scratch->buffers = (mcp_key_buffer *)(scratch->numbers + slots);
	return memory;
}

/* --- whenDown --- */

static void show(zval *info, const mcp_when_down *when_down, zval *answer) {
	if (!when_down->is_given) {
		ZVAL_NULL(answer);
	}
	add_assoc_zval(info, "whenDown", answer);
}

void php_mcp_when_down_show(zval *info, const mcp_when_down *when_down) {
	zval answer;
	ZVAL_LONG(&answer, when_down->answer);
	show(info, when_down, &answer);
}

void php_mcp_when_down_show_bool(zval *info, const mcp_when_down *when_down) {
	zval answer;
	ZVAL_BOOL(&answer, when_down->answer);
	show(info, when_down, &answer);
}

/* Uses the address of the failed server if known, which may be another one than the key's; else of the key's server. */
bool php_mcp_when_down_steps_in(const mcp_when_down *when_down, mcp_status status, mcp_pool *pool,
	const mcp_key *key, zend_string *name) {
	if (!when_down->is_given || !php_mcp_failure_is_of_server(status)) {
		return false;
	}
	mcp_store *store = php_mcp_pool_store(pool);
	mcp_store *failed = mcp_status_is_failure(status) ? mcp_store_failed(store) : NULL;
	const char *address = (failed != NULL ? failed : mcp_store_owner(store, key))->address;
	mcp_metrics *metrics = php_mcp_environment_get()->metrics;
	if (metrics != NULL) {
		mcp_bytes server = mcp_bytes_of(address, strlen(address));
		mcp_metrics_add(&mcp_metrics_find_server(metrics, server)->counts[MCP_COUNT_WHEN_DOWN], 1);
	}
	mcp_error_event trouble = {.kind = MCP_ERROR_KIND_WHEN_DOWN, .address = address, .name = name};
	php_mcp_pool_listener_report(pool, &trouble);
	return true;
}
