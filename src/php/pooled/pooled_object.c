/* Common parts of objects on a Pool. Decides which failures a default (whenDown) covers, with the table that also
 * selects ServerException. */
/* SPDX-License-Identifier: MIT */
#include "pooled_object.h"

#include "../../core/metrics/metrics.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../pool/class_pool.h"
#include "../pool/pool_listener.h"
#include "php.h"

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

static const mcp_named_class *class_of(const mcp_named_object *object) {
	return (const mcp_named_class *)object->std.handlers;
}

void php_mcp_named_object_let_go(mcp_named_object *object) {
	if (object->pool != NULL) {
		if (class_of(object)->release != NULL) {
			class_of(object)->release(object);
		}
		zend_string_release(object->name);
		php_mcp_pool_let_go(object->pool);
		object->pool = NULL;
	}
}

static void free_object(zend_object *std) {
	php_mcp_named_object_let_go(php_mcp_named_object_from(std));
	zend_object_std_dtor(std);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return php_mcp_pooled_object_show_held(php_mcp_named_object_from(std)->pool, NULL, table,
		count);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_named_object *object = php_mcp_named_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		add_assoc_str(&info, "name", zend_string_copy(object->name));
		class_of(object)->show(object, &info);
	}
	return Z_ARRVAL(info);
}

/* Written at start-up only. */
static mcp_named_class *classes;

static zend_object *create(zend_class_entry *type) {
	const mcp_named_class *found = classes;
	while (found->type != type) {
		found = found->next;
	}
	return php_mcp_object_create(type, &found->handlers);
}

void php_mcp_named_class_register(mcp_named_class *named_class, zend_class_entry *type) {
	php_mcp_object_handlers_init(&named_class->handlers,
		named_class->offset + offsetof(mcp_named_object, std), free_object);
	named_class->handlers.get_gc = get_gc;
	named_class->handlers.get_debug_info = get_debug_info;
	if (named_class->type == NULL) {
		named_class->next = classes;
		classes = named_class;
	}
	named_class->type = type;
	type->create_object = create;
}

mcp_pool *php_mcp_named_object_judge(zend_object *pool_object, const zend_string *name) {
	mcp_pool *pool = php_mcp_class_pool_get(pool_object);
	if (pool != NULL && ZSTR_LEN(name) == 0) {
		zend_argument_value_error(2, "must not be empty");
		return NULL;
	}
	return pool;
}

void php_mcp_named_object_construct(mcp_named_object *object, mcp_key_space space, mcp_pool *pool,
	zend_string *name) {
	object->name = zend_string_copy(name);
	object->pool = php_mcp_pool_add_reference(pool);
	php_mcp_pool_key_keep(&object->kept, space, pool, name);
}

void php_mcp_named_object_throw(const mcp_named_object *object, mcp_status status,
	const char *action, mcp_store *store) {
	php_mcp_failure_throw_for_key(status, action, php_mcp_bytes_of(object->name), store,
		&object->kept.key);
}

void php_mcp_when_down_show(zval *info, const mcp_when_down *when_down, bool is_bool) {
	zval answer;
	if (!when_down->is_given) {
		ZVAL_NULL(&answer);
	} else if (is_bool) {
		ZVAL_BOOL(&answer, when_down->answer);
	} else {
		ZVAL_LONG(&answer, when_down->answer);
	}
	add_assoc_zval(info, "whenDown", &answer);
}

bool php_mcp_when_down_steps_in(const mcp_when_down *when_down, mcp_status status,
	const mcp_named_object *object, const mcp_key *key) {
	if (!when_down->is_given || !php_mcp_failure_is_of_server(status)) {
		return false;
	}
	const char *address =
		php_mcp_failure_server(status, php_mcp_pool_store(object->pool), key)->address;
	mcp_metrics *metrics = php_mcp_environment_get()->metrics;
	if (metrics != NULL) {
		mcp_bytes name = mcp_bytes_text(address);
		mcp_metrics_add(&mcp_metrics_find_server(metrics, name)->counts[MCP_COUNT_WHEN_DOWN], 1);
	}
	mcp_error_event trouble = {
		.kind = MCP_ERROR_KIND_WHEN_DOWN,
		.address = address,
		.name = object->name,
	};
	php_mcp_pool_listener_report(object->pool, &trouble);
	return true;
}

bool php_mcp_named_object_is_covered(const mcp_named_object *object, mcp_status status,
	const char *action, mcp_store *store) {
	if (php_mcp_when_down_steps_in(&object->when_down, status, object, &object->kept.key)) {
		return true;
	}
	php_mcp_named_object_throw(object, status, action, store);
	return false;
}

mcp_read_scratch php_mcp_read_scratch_make(size_t count, size_t rest) {
	size_t each = sizeof(mcp_key) + sizeof(mcp_op) + sizeof(mcp_key_buffer);
	mcp_read_scratch scratch = {.keys = safe_emalloc(count, each, rest)};
	scratch.replies = (mcp_op *)(scratch.keys + count);
	scratch.rest = scratch.replies + count;
	scratch.buffers = (mcp_key_buffer *)((char *)scratch.rest + rest);
	return scratch;
}
