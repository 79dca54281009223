/* The class McPatterns\OnlineCounter: its object, constructor and methods. */
/* SPDX-License-Identifier: MIT */
#include "../../patterns/online_counter/online_counter.h"

#include "../pool/class_pool.h"
#include "../objects/classes.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../pooled/pooled_object.h"
#include "php_mcpatterns.h"
#include "../objects/options.h"

#include "class_online_counter_arginfo.h"

#define DEFAULT_WINDOW_S 300
#define DEFAULT_SLOTS 5
/* One day in slots of 1 s: with more slots, one read would be as large as many requests. */
#define SLOTS_MAX 86400

typedef struct online_object {
	mcp_window window;
	mcp_named_object named;
} online_object;

/* Arguments of the pattern, on the stack of a method. */
typedef struct online_call {
	const online_object *object;
	mcp_online online;
} online_call;

static void show(const mcp_named_object *named, zval *info) {
	const online_object *object = php_mcp_named_object_derived(&named->std);
	php_mcp_options_show_window(Z_ARRVAL_P(info), "window", &object->window);
	php_mcp_when_down_show(info, &named->when_down, false);
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool begin_online_call(online_call *call, zend_object *std) {
	const online_object *object = php_mcp_named_object_get(std);
	if (object == NULL) {
		return false;
	}
	call->object = object;
	call->online = (mcp_online){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &object->named.kept.key,
		.name = php_mcp_bytes_of(object->named.name),
		.window = object->window,
	};
	return true;
}

/* Returns true if the object's default replaces the failure. Otherwise throws the failure. */
static bool is_covered(const online_call *call, mcp_status status, const char *action) {
	const mcp_named_object *named = &call->object->named;
	if (php_mcp_when_down_steps_in(&named->when_down, status, named, &named->kept.key)) {
		return true;
	}
	/* Each slot has its own server. With one server, report that server. */
	bool is_alone = php_mcp_pool_server_count(named->pool) == 1;
	php_mcp_failure_throw(status, action, call->online.name,
		php_mcp_failure_server(status, call->online.store, is_alone ? &named->kept.key : NULL));
	return false;
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

	online_object *object = php_mcp_named_object_derived(Z_OBJ_P(ZEND_THIS));
	mcp_pool *pool = php_mcp_named_object_judge_new(&object->named, pool_object, name);
	if (pool == NULL ||
		!php_mcp_options_judge_window(window_s, slots, SLOTS_MAX, &object->window)) {
		RETURN_THROWS();
	}
	object->named.when_down = php_mcp_when_down_of(when_down, throws_when_down);
	php_mcp_named_object_construct(&object->named, MCP_SPACE_ONLINE, pool, name);
}

ZEND_METHOD(McPatterns_OnlineCounter, increment) {
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();

	online_call call;
	if (!begin_online_call(&call, Z_OBJ_P(ZEND_THIS))) {
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
	if (status != MCP_OK) {
		is_covered(&call, status, "increment the online counter");
	}
}

ZEND_METHOD(McPatterns_OnlineCounter, hit) {
	zend_string *visitor;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(visitor)
	ZEND_PARSE_PARAMETERS_END();

	online_call call;
	if (!begin_online_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	bool is_new;
	mcp_status status = mcp_online_hit(&call.online, php_mcp_bytes_of(visitor), &is_new);
	if (status == MCP_OK) {
		RETURN_BOOL(is_new);
	}
	if (is_covered(&call, status, "count a visitor in the online counter")) {
		RETURN_FALSE;
	}
}

static void show_slots(zval *array, const mcp_window *window, const uint64_t *numbers,
	uint64_t newest) {
	array_init_size(array, window->slots + 1);
	for (uint32_t i = 0; i <= window->slots && i <= newest; i++) {
		zend_long start_s = (zend_long)mcp_window_slot_start_s(window, newest - i);
		add_index_long(array, (zend_ulong)start_s, (zend_long)numbers[i]);
	}
}

/* Return the number of visitors of the window, or of each of its slots. */
static void read_window(zend_object *std, bool is_by_slot, bool is_smooth, zval *return_value) {
	online_call call;
	if (!begin_online_call(&call, std)) {
		RETURN_THROWS();
	}
	const mcp_window *window = &call.object->window;
	size_t length = mcp_online_read_length(window);
	mcp_read_scratch reads = php_mcp_read_scratch_make(length, length * sizeof(uint64_t));
	mcp_slots_scratch scratch = {reads.keys, reads.buffers, reads.replies, reads.rest};
	uint64_t result;
	mcp_status status = is_by_slot ? mcp_online_slots(&call.online, &scratch, &result)
								   : mcp_online_count(&call.online, &scratch, is_smooth, &result);
	if (status == MCP_OK && is_by_slot) {
		show_slots(return_value, window, scratch.numbers, result);
	} else if (status == MCP_OK) {
		ZVAL_LONG(return_value, (zend_long)result);
	}
	efree(reads.keys);
	if (status == MCP_OUT_OF_RANGE) {
		/* The common message describes a failed write. */
		php_mcp_failure_throw_because(status, "read the online counter", call.online.key->wire,
			"the number exceeds PHP_INT_MAX");
	} else if (status != MCP_OK && is_covered(&call, status, "read the online counter")) {
		if (is_by_slot) {
			RETURN_EMPTY_ARRAY();
		}
		RETURN_LONG(call.object->named.when_down.answer);
	}
}

ZEND_METHOD(McPatterns_OnlineCounter, count) {
	zval *smooth = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(smooth)
	ZEND_PARSE_PARAMETERS_END();
	bool is_smooth = false;
	if (!php_mcp_options_read_switch(1, smooth, "an object counts only one name", &is_smooth)) {
		RETURN_THROWS();
	}
	read_window(Z_OBJ_P(ZEND_THIS), false, is_smooth, return_value);
}

ZEND_METHOD(McPatterns_OnlineCounter, perSlot) {
	ZEND_PARSE_PARAMETERS_NONE();
	read_window(Z_OBJ_P(ZEND_THIS), true, false, return_value);
}

void php_mcp_class_online_counter_register(void) {
	static mcp_named_class online = {.offset = offsetof(online_object, named), .show = show};
	php_mcp_named_class_register(&online, register_class_McPatterns_OnlineCounter());
}
