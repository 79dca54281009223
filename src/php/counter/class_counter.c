/* The class McPatterns\Counter: its constructor and its methods. They read the arguments, ask, and return;
 * counting from a first number is in counter_initial.c, draining in counter_drain.c. */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "../objects/duration.h"
#include "../pool/pool_key.h"
#include "../pooled/pooled_object.h"
#include "../pool/class_pool.h"
#include "counter_drain.h"
#include "counter_drain_many.h"
#include "counter_initial.h"

#include "class_counter_arginfo.h"

#define DEFAULT_WAIT_MS 2500

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	php_mcp_counter_object_free(php_mcp_counter_object_from(std));
	zend_object_std_dtor(std);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	mcp_counter_object *object = php_mcp_counter_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool == NULL) {
		return Z_ARRVAL(info);
	}
	add_assoc_str(&info, "name", zend_string_copy(object->name));
	if (Z_ISUNDEF(object->initial)) {
		add_assoc_long(&info, "initial", (zend_long)object->initial_number);
	} else {
		Z_TRY_ADDREF(object->initial);
		add_assoc_zval(&info, "initial", &object->initial);
	}
	php_mcp_object_add_seconds(Z_ARRVAL(info), "ttl", object->ttl_ms);
	php_mcp_object_add_seconds(Z_ARRVAL(info), "wait", object->wait_ms);
	php_mcp_when_down_show(&info, &object->when_down);
	return Z_ARRVAL(info);
}

/* Shows the callable, which may lead back to the counter. */
static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	mcp_counter_object *object = php_mcp_counter_object_from(std);
	return php_mcp_pooled_object_show_held(object->pool, &object->initial, table, count);
}

/* Parses an int as PHP takes one, or a callable; false with an exception. */
static bool parse_initial(zval *given, uint32_t arg_num, int64_t *number, zval *callable) {
	zend_long parsed;
	ZVAL_UNDEF(callable);
	if (zend_is_callable(given, 0, NULL)) {
		ZVAL_COPY(callable, given);
		return true;
	}
	if (!zend_parse_arg_long(given, &parsed, NULL, false, arg_num)) {
		if (EG(exception) == NULL) {
			zend_argument_type_error(arg_num, "must be a valid callback or of type int, %s given",
				zend_zval_type_name(given));
		}
		return false;
	}
	if (parsed < 0) {
		zend_argument_value_error(arg_num, "must be greater than or equal to 0");
		return false;
	}
	*number = parsed;
	return true;
}

typedef struct counter_arguments {
	zend_object *pool;
	zend_string *name;
	zval *initial, *ttl, *wait;
	zend_long when_down;
	bool throws_when_down;
} counter_arguments;

/* Constructs the object; false with an exception, and then the object stays as it was. */
static bool construct(mcp_counter_object *object, const counter_arguments *arguments) {
	mcp_pool *pool = php_mcp_class_pool_get(arguments->pool);
	if (pool == NULL) {
		return false;
	}
	if (ZSTR_LEN(arguments->name) == 0) {
		zend_argument_value_error(2, "cannot be empty");
		return false;
	}
	uint64_t ttl_ms = 0;
	uint64_t wait_ms = DEFAULT_WAIT_MS;
	if (arguments->ttl != NULL &&
		!php_mcp_duration_parse(arguments->ttl, 4, MCP_DURATION_ANY, &ttl_ms)) {
		return false;
	}
	if (arguments->wait != NULL &&
		!php_mcp_duration_parse(arguments->wait, 5, MCP_DURATION_ANY, &wait_ms)) {
		return false;
	}
	int64_t number = 0;
	zval callable = {0};
	ZVAL_UNDEF(&callable);
	if (arguments->initial != NULL && !parse_initial(arguments->initial, 3, &number, &callable)) {
		return false;
	}
	/* A handler of a deprecation may have constructed it meanwhile. */
	if (!php_mcp_object_require_new(&object->std, object->pool)) {
		zval_ptr_dtor(&callable);
		return false;
	}
	object->initial_number = number;
	ZVAL_COPY_VALUE(&object->initial, &callable);
	object->ttl_ms = ttl_ms;
	object->wait_ms = wait_ms;
	object->when_down = php_mcp_when_down_of(arguments->when_down, arguments->throws_when_down);
	object->name = zend_string_copy(arguments->name);
	object->pool = php_mcp_pool_hold(pool);
	php_mcp_pool_key_keep(&object->kept, MCP_SPACE_COUNTER, pool, object->name);
	return true;
}

ZEND_METHOD(McPatterns_Counter, __construct) {
	counter_arguments arguments = {.throws_when_down = true};
	ZEND_PARSE_PARAMETERS_START(2, 6)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, php_mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments.initial)
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_NUMBER_OR_NULL(arguments.wait)
		Z_PARAM_LONG_OR_NULL(arguments.when_down, arguments.throws_when_down)
	ZEND_PARSE_PARAMETERS_END();

	mcp_counter_object *object = php_mcp_counter_object_from(Z_OBJ_P(ZEND_THIS));
	if (php_mcp_object_require_new(&object->std, object->pool)) {
		construct(object, &arguments);
	}
}

static bool steps_in(const mcp_counter_call *call, mcp_status status) {
	mcp_counter_object *object = call->object;
	return php_mcp_when_down_steps_in(&object->when_down, status, object->pool, &object->kept.key,
		object->name);
}

/* Returns the number, or throws the failure that has not been thrown yet. */
static zend_always_inline void answer_number(const mcp_counter_call *call, mcp_status status,
	int64_t number, const char *action, zval *return_value) {
	if (EG(exception) == NULL && status != MCP_OK) {
		if (steps_in(call, status)) {
			RETURN_LONG(call->object->when_down.answer);
		}
		php_mcp_counter_call_throw(call, status, action);
	}
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)number);
}

static void answer_count(zend_object *std, int64_t by, const char *action, zval *return_value) {
	mcp_counter_call call;
	if (!php_mcp_counter_call_begin(&call, std)) {
		RETURN_THROWS();
	}
	int64_t number = 0;
	mcp_status status = php_mcp_counter_initial_add(&call, by, &number);
	answer_number(&call, status, number, action, return_value);
}

ZEND_METHOD(McPatterns_Counter, increment) {
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();
	answer_count(Z_OBJ_P(ZEND_THIS), by, "increment the counter", return_value);
}

ZEND_METHOD(McPatterns_Counter, decrement) {
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();
	if (by == ZEND_LONG_MIN) {
		zend_argument_value_error(1, "must be greater than " ZEND_LONG_FMT, ZEND_LONG_MIN);
		RETURN_THROWS();
	}
	answer_count(Z_OBJ_P(ZEND_THIS), -by, "decrement the counter", return_value);
}

ZEND_METHOD(McPatterns_Counter, value) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_counter_call call;
	if (!php_mcp_counter_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	int64_t number = 0;
	mcp_status status = php_mcp_counter_initial_read(&call, &number);
	answer_number(&call, status, number, "read the counter", return_value);
}

ZEND_METHOD(McPatterns_Counter, set) {
	zend_long value;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(value)
	ZEND_PARSE_PARAMETERS_END();

	mcp_counter_call call;
	if (!php_mcp_counter_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (value < 0) {
		zend_argument_value_error(1, "must be greater than or equal to 0");
		RETURN_THROWS();
	}
	mcp_status status = mcp_counter_set(&call.counter, value);
	if (status != MCP_OK) {
		php_mcp_counter_call_throw(&call, status, "set the counter");
	}
}

ZEND_METHOD(McPatterns_Counter, reset) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_counter_call call;
	if (!php_mcp_counter_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_counter_reset(&call.counter);
	if (status != MCP_OK) {
		php_mcp_counter_call_throw(&call, status, "reset the counter");
	}
}

ZEND_METHOD(McPatterns_Counter, drain) {
	mcp_user_call store = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(store.info, store.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_counter_call call;
	int64_t taken;
	if (!php_mcp_counter_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_counter_drain_into(&call, &store, &taken)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)taken);
}

ZEND_METHOD(McPatterns_Counter, drainMany) {
	zend_object *pool_object;
	zval *names;
	mcp_user_call store = php_mcp_user_call_none();
	zend_long drained;
	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_ITERABLE(names)
		Z_PARAM_FUNC(store.info, store.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = php_mcp_class_pool_get(pool_object);
	if (pool == NULL || !php_mcp_counter_drain_many(pool, names, 2, &store, &drained)) {
		RETURN_THROWS();
	}
	RETURN_LONG(drained);
}

void php_mcp_class_counter_register(void) {
	zend_class_entry *class_entry = register_class_McPatterns_Counter();
	class_entry->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(mcp_counter_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}
