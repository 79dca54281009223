/* A hold that is still open goes back with its object. */
/* SPDX-License-Identifier: MIT */
#include "lock_handlers.h"

#include "../host/environment.h"
#include "../host/process.h"
#include "../objects/duration.h"
#include "../objects/object.h"
#include "../pooled/pooled_object.h"
#include "../engine/bailout.h"
#include "lock_object.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	mcp_lock_object *object = php_mcp_lock_object_from(std);
	object->is_freed = true;
	php_mcp_give_back_now(&object->held);
	php_mcp_lock_object_let_go(object);
	zend_object_std_dtor(std);
	php_mcp_bailout_raise();
}

/* Adds for var_dump() what the lock was made with and what its object knows of it. Asks no server, and changes nothing:
 * a forked child holds nothing, and finds that out at its next call. */
static void add_state(const mcp_lock_object *object, zval *info) {
	bool is_semaphore = object->permits > 0;
	mcp_lock lock = {.environment = php_mcp_environment_get()};
	bool is_ours = object->process == php_mcp_process_id();
	uint64_t left_ms = is_ours ? mcp_lock_remaining_ms(&lock, &object->hold) : 0;
	add_assoc_str(info, "name", zend_string_copy(object->name));
	add_assoc_str(info, "owner", zend_string_copy(object->owner));
	php_mcp_object_add_seconds(Z_ARRVAL_P(info), "ttl", object->ttl_ms);
	if (is_semaphore) {
		add_assoc_long(info, "permits", object->permits);
	} else {
		php_mcp_object_add_seconds(Z_ARRVAL_P(info), "skew", object->skew_ms);
	}
	add_assoc_bool(info, "autoRelease", object->releases_itself);
	add_assoc_bool(info, "isHeld", left_ms > 0);
	php_mcp_object_add_seconds(Z_ARRVAL_P(info), "remaining", left_ms);
	if (is_semaphore && left_ms > 0) {
		add_assoc_long(info, "permit", object->permit);
	}
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_lock_object *object = php_mcp_lock_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool != NULL) {
		add_state(object, &info);
	}
	return Z_ARRVAL(info);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	return php_mcp_pooled_object_show_held(php_mcp_lock_object_from(std)->pool, NULL, table, count);
}

void php_mcp_lock_handlers_register(zend_class_entry *type) {
	type->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(mcp_lock_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}
