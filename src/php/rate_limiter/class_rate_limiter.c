/* The class McPatterns\RateLimiter: its constructor and methods. */
/* SPDX-License-Identifier: MIT */
#include "../../core/items/limit.h"
#include "../../patterns/rate_limiter/rate_limiter.h"
#include "../host/environment.h"
#include "../objects/classes.h"
#include "../objects/duration.h"
#include "../objects/enums.h"
#include "../objects/failure.h"
#include "../objects/object.h"
#include "../objects/options.h"
#include "../pool/class_pool.h"
#include "../pool/pool.h"
#include "../pooled/pooled_object.h"
#include "../pooled/when_down.h"
#include "php.h"

#include "class_rate_limiter_arginfo.h"

#define MCP_RATE_LIMITER_DEFAULT_SLOTS 10

/* In the order of the arguments. */
typedef struct mcp_rate_limiter_arguments {
	zend_object *pool;
	zend_string *name;
	zend_long limit;
	zval *period;
	zend_object *algorithm; /* NULL: default */
	zend_long slots;
	zend_long burst;
	bool has_no_burst;
	zval *when_down; /* NULL or null: it throws */
} mcp_rate_limiter_arguments;

typedef struct mcp_rate_limiter_object {
	mcp_pool *pool;     /* a reference; NULL until constructed */
	zend_string *name;  /* a reference */
	zend_string *scope; /* name as in keys, with the ':' before the limited party; a reference */
	mcp_limit limit;
	mcp_when_down when_down; /* 1: admit every attempt, 0: reject every attempt */
	zend_object std;
} mcp_rate_limiter_object;

/* Arguments of the pattern, on the stack of a method. */
typedef struct mcp_rate_limiter_call {
	mcp_rate_limiter_object *object;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_rate rate;
	mcp_slots_scratch scratch;
	void *memory; /* of the scratch; NULL: not needed */
} mcp_rate_limiter_call;

static inline mcp_rate_limiter_object *php_mcp_rate_limiter_object_from(zend_object *object) {
	return (mcp_rate_limiter_object *)((char *)object - offsetof(mcp_rate_limiter_object, std));
}

/* Dependent arguments are validated together: a slot with the period, a burst with the rate. */

#define SLOTS_MAX 1000
/* Maximum time until a full bucket is empty again: the longest period. */
#define REFILL_MAX_S 4294967
#define MICROSECONDS 1000000 /* of a second */

static bool judge_slots(zend_long slots, mcp_limit *limit) {
	limit->slots = (uint32_t)slots;
	if (!php_mcp_options_is_between(6, slots, 1, SLOTS_MAX)) {
		return false;
	}
	if (limit->algorithm == MCP_LIMITING_TOKEN_BUCKET ||
		mcp_limit_slot_ms(limit) >= MCP_LIMIT_SLOT_MIN_MS) {
		return true;
	}
	if (limit->algorithm == MCP_LIMITING_SLIDING_WINDOW) {
		zend_argument_value_error(4,
			"must be at least 0.1 seconds for each of the " ZEND_LONG_FMT " slots", slots);
	} else {
		zend_argument_value_error(4, "must be at least 0.1 seconds");
	}
	return false;
}

static bool judge_rate(const mcp_limit *limit) {
	if (limit->algorithm == MCP_LIMITING_TOKEN_BUCKET && limit->limit > limit->period_ms * 1000) {
		zend_argument_value_error(3,
			"must be at most 1000000 per second for Limiting::TokenBucket");
		return false;
	}
	return true;
}

static bool judge_burst(const mcp_rate_limiter_arguments *arguments, mcp_limit *limit) {
	limit->burst = limit->limit;
	if (arguments->has_no_burst) {
		return true;
	}
	if (limit->algorithm != MCP_LIMITING_TOKEN_BUCKET) {
		zend_argument_value_error(7, "must be null unless $algorithm is Limiting::TokenBucket");
		return false;
	}
	uint64_t most = (uint64_t)REFILL_MAX_S * MICROSECONDS / mcp_limit_interval_us(limit);
	if (arguments->burst < 1 || (uint64_t)arguments->burst > most) {
		zend_argument_value_error(7,
			"must be between 1 and " ZEND_LONG_FMT ", the amount refilled in %d seconds",
			(zend_long)most, REFILL_MAX_S);
		return false;
	}
	limit->burst = (uint64_t)arguments->burst;
	return true;
}

/* Validate the limit. Returns false with an exception. */
static bool judge(const mcp_rate_limiter_arguments *arguments, mcp_limit *limit) {
	bool is_default = arguments->algorithm == NULL;
	limit->algorithm = is_default ? MCP_LIMITING_SLIDING_WINDOW
								  : (mcp_limiting)php_mcp_enums_case(arguments->algorithm);
	if (ZSTR_LEN(arguments->name) == 0) {
		zend_argument_value_error(2, "must not be empty");
		return false;
	}
	limit->limit = (uint64_t)arguments->limit;
	return php_mcp_options_is_between(3, arguments->limit, 1, MCP_LIMIT_MAX) &&
		php_mcp_duration_parse(arguments->period, 4, MCP_DURATION_POSITIVE, &limit->period_ms) &&
		judge_slots(arguments->slots, limit) && judge_rate(limit) && judge_burst(arguments, limit);
}

/* Accept a bool or null only: the string "false" from a setting would count as true. */
static bool judge_when_down(const zval *given, mcp_when_down *when_down) {
	bool is_null = given == NULL || Z_TYPE_P(given) == IS_NULL;
	bool lets_in = false;
	*when_down = php_mcp_when_down_of(0, is_null);
	if (!is_null &&
		!php_mcp_strict_argument_read_switch(8, given,
			"true admits all requests, false rejects all", &lets_in)) {
		return false;
	}
	when_down->answer = lets_in;
	return true;
}

/* Validate all arguments except the pool. Returns false with an exception. */
static bool php_mcp_rate_limiter_arguments_judge(const mcp_rate_limiter_arguments *arguments,
	mcp_limit *limit, mcp_when_down *when_down) {
	return judge(arguments, limit) && judge_when_down(arguments->when_down, when_down);
}

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
		zend_object *algorithm = php_mcp_enums_object(php_mcp_limiting_enum, limit->algorithm);
		GC_ADDREF(algorithm);
		add_assoc_object(&info, "algorithm", algorithm);
		if (limit->algorithm == MCP_LIMITING_SLIDING_WINDOW) {
			add_assoc_long(&info, "slots", limit->slots);
		} else if (limit->algorithm == MCP_LIMITING_TOKEN_BUCKET) {
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

static void php_mcp_rate_limiter_object_register(zend_class_entry *type) {
	type->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(mcp_rate_limiter_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}

/* Make the scope of a limiter with this name. */
static zend_string *php_mcp_rate_limiter_object_scope(const zend_string *name) {
	char first[MCP_KEY_FIRST_NAME_MAX];
	size_t length = mcp_key_write_first_name(first, MCP_SPACE_RATE,
		mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)));
	return zend_string_concat2(first, length, ":", 1);
}

/* Begin a call. Returns false with an Error if the object was never constructed. End it with
 * php_mcp_rate_limiter_call_end(). */
static bool php_mcp_rate_limiter_call_begin(mcp_rate_limiter_call *call, zend_object *std,
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
	bool is_bucket = object->limit.algorithm == MCP_LIMITING_TOKEN_BUCKET;
	call->memory = is_bucket
		? NULL
		: php_mcp_slots_scratch_allocate(mcp_limit_slots_summed(&object->limit), &call->scratch);
	return true;
}

/* True if the default replaces this status. Counts it. */
static bool php_mcp_rate_limiter_call_steps_in(const mcp_rate_limiter_call *call,
	mcp_status status) {
	mcp_rate_limiter_object *object = call->object;
	return php_mcp_when_down_steps_in(&object->when_down, status, object->pool, &call->key,
		object->name);
}

static void throw_failure(const mcp_rate_limiter_call *call, mcp_status status,
	const char *action) {
	const zend_string *shown = call->object->name;
	mcp_bytes name = mcp_bytes_of(ZSTR_VAL(shown), ZSTR_LEN(shown));
	if (status == MCP_EXISTS && call->object->limit.algorithm != MCP_LIMITING_TOKEN_BUCKET) {
		php_mcp_failure_throw_because(status, action, name,
			"this process was suspended across the ends of 3 slots; the attempt was not counted");
		return;
	}
	php_mcp_failure_throw_for_key(status, action, name, call->rate.store, &call->key);
}

/* Returns false if `status` was thrown. */
static bool php_mcp_rate_limiter_call_end(mcp_rate_limiter_call *call, mcp_status status,
	const char *action) {
	if (call->memory != NULL) {
		efree(call->memory);
	}
	if (status != MCP_OK) {
		throw_failure(call, status, action);
	}
	return status == MCP_OK;
}

ZEND_METHOD(McPatterns_RateLimiter, __construct) {
	mcp_rate_limiter_arguments arguments = {
		.slots = MCP_RATE_LIMITER_DEFAULT_SLOTS,
		.has_no_burst = true,
	};
	ZEND_PARSE_PARAMETERS_START(4, 8)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, php_mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_LONG(arguments.limit)
		Z_PARAM_NUMBER(arguments.period)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.algorithm, php_mcp_limiting_enum)
		Z_PARAM_LONG(arguments.slots)
		Z_PARAM_LONG_OR_NULL(arguments.burst, arguments.has_no_burst)
		Z_PARAM_ZVAL(arguments.when_down)
	ZEND_PARSE_PARAMETERS_END();

	mcp_rate_limiter_object *object = php_mcp_rate_limiter_object_from(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_new(&object->std, object->pool)) {
		RETURN_THROWS();
	}
	mcp_pool *pool = php_mcp_class_pool_get(arguments.pool);
	mcp_limit limit;
	mcp_when_down when_down;
	if (pool == NULL || !php_mcp_rate_limiter_arguments_judge(&arguments, &limit, &when_down)) {
		RETURN_THROWS();
	}
	object->limit = limit;
	object->when_down = when_down;
	object->name = zend_string_copy(arguments.name);
	object->scope = php_mcp_rate_limiter_object_scope(arguments.name);
	object->pool = php_mcp_pool_hold(pool);
}

/* Maximum number of attempts admitted at once. */
static uint64_t most_at_once(const mcp_limit *limit) {
	return limit->algorithm == MCP_LIMITING_TOKEN_BUCKET ? limit->burst : limit->limit;
}

static bool judge_cost(const mcp_limit *limit, zend_long cost) {
	bool is_bucket = limit->algorithm == MCP_LIMITING_TOKEN_BUCKET;
	uint64_t most = most_at_once(limit);
	if (cost >= 1 && (uint64_t)cost <= most) {
		return true;
	}
	zend_argument_value_error(2, "must be between 1 and the %s, " ZEND_LONG_FMT,
		is_bucket ? "burst" : "limit", (zend_long)most);
	return false;
}

ZEND_METHOD(McPatterns_RateLimiter, attempt) {
	zend_string *who = zend_empty_string;
	zend_long cost = 1;
	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(who)
		Z_PARAM_LONG(cost)
	ZEND_PARSE_PARAMETERS_END();

	mcp_rate_limiter_object *object = php_mcp_rate_limiter_object_from(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_constructed(&object->std, object->pool) ||
		!judge_cost(&object->limit, cost)) {
		RETURN_THROWS();
	}
	mcp_rate_limiter_call call;
	bool is_admitted;
	php_mcp_rate_limiter_call_begin(&call, &object->std, who);
	mcp_status status = mcp_rate_attempt(&call.rate, &call.scratch, (uint64_t)cost, &is_admitted);
	if (status != MCP_OK && php_mcp_rate_limiter_call_steps_in(&call, status)) {
		is_admitted = object->when_down.answer;
		status = MCP_OK;
	}
	if (!php_mcp_rate_limiter_call_end(&call, status, "check the rate limiter")) {
		RETURN_THROWS();
	}
	RETURN_BOOL(is_admitted);
}

/* State as if nothing were used, or as if everything were used up. */
static mcp_rate_state state_when_down(const mcp_rate_limiter_object *object) {
	if (object->when_down.answer) {
		return (mcp_rate_state){.remaining = most_at_once(&object->limit)};
	}
	return (mcp_rate_state){.wait_us = object->limit.period_ms * 1000};
}

/* Read the state. Returns false with an exception. */
static bool look(zend_object *std, const zend_string *who, uint64_t cost, mcp_rate_state *state) {
	mcp_rate_limiter_call call;
	if (!php_mcp_rate_limiter_call_begin(&call, std, who)) {
		return false;
	}
	mcp_status status = mcp_rate_look(&call.rate, &call.scratch, cost, state);
	if (status != MCP_OK && php_mcp_rate_limiter_call_steps_in(&call, status)) {
		*state = state_when_down(call.object);
		status = MCP_OK;
	}
	return php_mcp_rate_limiter_call_end(&call, status, "read the rate limiter");
}

ZEND_METHOD(McPatterns_RateLimiter, remaining) {
	zend_string *who = zend_empty_string;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(who)
	ZEND_PARSE_PARAMETERS_END();

	mcp_rate_state state;
	if (!look(Z_OBJ_P(ZEND_THIS), who, 1, &state)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)state.remaining);
}

ZEND_METHOD(McPatterns_RateLimiter, availableIn) {
	zend_string *who = zend_empty_string;
	zend_long cost = 1;
	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(who)
		Z_PARAM_LONG(cost)
	ZEND_PARSE_PARAMETERS_END();

	mcp_rate_limiter_object *object = php_mcp_rate_limiter_object_from(Z_OBJ_P(ZEND_THIS));
	mcp_rate_state state;
	if (!php_mcp_object_require_constructed(&object->std, object->pool) ||
		!judge_cost(&object->limit, cost) || !look(&object->std, who, (uint64_t)cost, &state)) {
		RETURN_THROWS();
	}
	RETURN_DOUBLE((double)state.wait_us / MICROSECONDS);
}

ZEND_METHOD(McPatterns_RateLimiter, reset) {
	zend_string *who = zend_empty_string;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(who)
	ZEND_PARSE_PARAMETERS_END();

	mcp_rate_limiter_call call;
	if (!php_mcp_rate_limiter_call_begin(&call, Z_OBJ_P(ZEND_THIS), who)) {
		RETURN_THROWS();
	}
	php_mcp_rate_limiter_call_end(&call, mcp_rate_reset(&call.rate, &call.scratch),
		"reset the rate limiter");
}

void php_mcp_class_rate_limiter_register(void) {
	php_mcp_rate_limiter_object_register(register_class_McPatterns_RateLimiter());
}
