/* The class McPatterns\OnlineCounter: its object, constructor and methods. */
/* SPDX-License-Identifier: MIT */
#include "../../patterns/online_counter/online_counter.h"

#include "../pool/class_pool.h"
#include "../objects/classes.h"
#include "../engine/compat.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../pooled/pooled_object.h"
#include "../objects/object.h"
#include "../pool/pool.h"
#include "php_mcpatterns.h"
#include "../objects/options.h"
#include "../pooled/when_down.h"

#include "class_online_counter_arginfo.h"

#define DEFAULT_WINDOW_S 300
#define DEFAULT_SLOTS 5
/* One day by seconds: more slots would make a read as large as many requests. */
#define SLOTS_MAX 86400

typedef struct online_object {
	mcp_window window;
	mcp_when_down when_down;
	mcp_named_object named;
} online_object;

/* Arguments of the pattern, on the stack of a method. */
typedef struct online_call {
	online_object *object;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_online online;
} online_call;

static zend_object_handlers handlers;

static online_object *from_std(zend_object *object) {
	return (online_object *)((char *)object - offsetof(online_object, named.std));
}

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const online_object *object = from_std(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_named_object_begin_debug_info(&object->named, is_temporary));
	if (object->named.pool != NULL) {
		php_mcp_window_arguments_show(Z_ARRVAL(info), "window", &object->window);
		php_mcp_when_down_show(&info, &object->when_down);
	}
	return Z_ARRVAL(info);
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool begin(online_call *call, zend_object *std) {
	online_object *object = from_std(std);
	if (!php_mcp_object_require_constructed(std, object->named.pool)) {
		return false;
	}
	call->object = object;
	call->key = php_mcp_pool_key_make(MCP_SPACE_ONLINE, object->named.pool, object->named.name,
		&call->buffer);
	call->online = (mcp_online){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &call->key,
		.name = php_mcp_named_object_name(&object->named),
		.window = object->window,
	};
	return true;
}

static bool steps_in(const online_call *call, mcp_status status) {
	const mcp_named_object *named = &call->object->named;
	return php_mcp_when_down_steps_in(&call->object->when_down, status, named->pool, &call->key,
		named->name);
}

static void throw_failure(const online_call *call, mcp_status status, const char *action) {
	/* Each slot has its own server. With one server, report that server. */
	bool is_alone = php_mcp_pool_server_count(call->object->named.pool) == 1;
	mcp_store *failed = mcp_status_is_failure(status) ? mcp_store_failed(call->online.store) : NULL;
	mcp_store *server = is_alone ? mcp_store_owner(call->online.store, &call->key) : failed;
	php_mcp_failure_throw(status, action, call->online.name, server);
}

/* Uses its own message: the common ones describe a failed write. */
static void throw_read_failure(const online_call *call, mcp_status status) {
	if (status != MCP_OUT_OF_RANGE) {
		throw_failure(call, status, "read the online counter");
		return;
	}
	php_mcp_failure_throw_because(status, "read the online counter", call->key.wire,
		"the number exceeds PHP_INT_MAX");
}

ZEND_METHOD(McPatterns_OnlineCounter, __construct) {
	zend_object *pool_object;
	zend_string *name;
	zend_long window_s = DEFAULT_WINDOW_S;
	zend_long slots = DEFAULT_SLOTS;
	zend_long when_down = 0;
	bool throws_when_down = true;
	ZEND_PARSE_PARAMETERS_START(2, 5)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(window_s)
		Z_PARAM_LONG(slots)
		Z_PARAM_LONG_OR_NULL(when_down, throws_when_down)
	ZEND_PARSE_PARAMETERS_END();

	online_object *object = from_std(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_new(&object->named.std, object->named.pool)) {
		RETURN_THROWS();
	}
	mcp_pool *pool = php_mcp_named_object_judge(pool_object, name);
	if (pool == NULL ||
		!php_mcp_window_arguments_judge(window_s, slots, SLOTS_MAX, &object->window)) {
		RETURN_THROWS();
	}
	object->when_down = php_mcp_when_down_of(when_down, throws_when_down);
	php_mcp_named_object_hold(&object->named, pool, name);
}

ZEND_METHOD(McPatterns_OnlineCounter, increment) {
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();

	online_call call;
	if (!begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (by < 0) {
		zend_argument_value_error(1, "must be greater than or equal to 0");
		RETURN_THROWS();
	}
	if (by == 0) {
		return;
	}
	mcp_status status = mcp_online_increment(&call.online, (uint64_t)by);
	if (status != MCP_OK && !steps_in(&call, status)) {
		throw_failure(&call, status, "increment the online counter");
	}
}

ZEND_METHOD(McPatterns_OnlineCounter, hit) {
	zend_string *visitor;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(visitor)
	ZEND_PARSE_PARAMETERS_END();

	online_call call;
	if (!begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	bool is_new;
	mcp_bytes bytes = mcp_bytes_of(ZSTR_VAL(visitor), ZSTR_LEN(visitor));
	mcp_status status = mcp_online_hit(&call.online, bytes, &is_new);
	if (status != MCP_OK) {
		if (steps_in(&call, status)) {
			RETURN_FALSE;
		}
		throw_failure(&call, status, "count a visitor in the online counter");
		RETURN_THROWS();
	}
	RETURN_BOOL(is_new);
}

ZEND_METHOD(McPatterns_OnlineCounter, count) {
	zval *smooth = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(smooth)
	ZEND_PARSE_PARAMETERS_END();
	bool is_smooth = false;
	if (!php_mcp_strict_argument_read_switch(1, smooth, "an object counts only one name",
			&is_smooth)) {
		RETURN_THROWS();
	}

	online_call call;
	if (!begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_slots_scratch scratch;
	void *memory =
		php_mcp_slots_scratch_allocate(mcp_online_read_length(&call.object->window), &scratch);
	uint64_t number;
	mcp_status status = mcp_online_count(&call.online, &scratch, is_smooth, &number);
	efree(memory);
	if (status != MCP_OK) {
		if (steps_in(&call, status)) {
			RETURN_LONG(call.object->when_down.answer);
		}
		throw_read_failure(&call, status);
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)number);
}

static void show_slots(zval *array, const mcp_window *window, const uint64_t *numbers,
	uint64_t newest) {
	array_init_size(array, window->slots + 1);
	for (uint32_t i = 0; i <= window->slots && i <= newest; i++) {
		zend_long start_s = (zend_long)mcp_window_slot_start_s(window, newest - i);
		add_index_long(array, (zend_ulong)start_s, (zend_long)numbers[i]);
	}
}

ZEND_METHOD(McPatterns_OnlineCounter, perSlot) {
	ZEND_PARSE_PARAMETERS_NONE();
	online_call call;
	if (!begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_slots_scratch scratch;
	void *memory =
		php_mcp_slots_scratch_allocate(mcp_online_read_length(&call.object->window), &scratch);
	uint64_t newest;
	mcp_status status = mcp_online_slots(&call.online, &scratch, &newest);
	if (status == MCP_OK) {
		show_slots(return_value, &call.object->window, scratch.numbers, newest);
	}
	efree(memory);
	if (status != MCP_OK) {
		if (steps_in(&call, status)) {
			RETURN_EMPTY_ARRAY();
		}
		throw_read_failure(&call, status);
		RETURN_THROWS();
	}
}

void php_mcp_class_online_counter_register(void) {
	zend_class_entry *class_entry = register_class_McPatterns_OnlineCounter();
	class_entry->create_object = create;
	php_mcp_named_object_handlers_init(&handlers, offsetof(online_object, named.std),
		get_debug_info);
}
