/* The class McPatterns\RateLimiter: its constructor and methods. */
/* SPDX-License-Identifier: MIT */
#include "../../core/items/window.h"
#include "../../patterns/rate_limiter/rate_limiter.h"
#include "../host/environment.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/enums.h"
#include "../objects/failure.h"
#include "../objects/options.h"
#include "../pool/class_pool.h"
#include "../pooled/pooled_object.h"

#include "class_rate_limiter_arginfo.h"

#define MCP_RATE_LIMITER_DEFAULT_SLOTS 10

/* Fields in the order of the arguments. */
typedef struct mcp_rate_limiter_arguments {
	zend_object *pool;
	zend_string *name;
	zend_long limit;
	zval *period;
	zend_object *algorithm; /* NULL: default */
	zend_long slots;
	zend_long burst;
	bool has_no_burst;
	zval *when_down; /* NULL or null: methods throw */
} mcp_rate_limiter_arguments;

typedef struct mcp_rate_limiter_object {
	mcp_limit limit;
	/* name as in keys, with the ':' before the limited party */
	char scope[MCP_KEY_FIRST_NAME_MAX + 1];
	size_t scope_length;
	mcp_named_object named; /* when_down 1: admit every attempt; 0: reject every attempt */
} mcp_rate_limiter_object;

/* Arguments of the pattern, on the stack of a method. */
typedef struct mcp_rate_limiter_call {
	const mcp_rate_limiter_object *object;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_rate rate;
	mcp_slots_scratch scratch;
	void *memory; /* memory of the scratch; NULL: not needed */
} mcp_rate_limiter_call;

/* Dependent arguments are validated together: the slots with the period, and the burst with the rate. */

#define SLOTS_MAX 1000
/* Maximum time until a full bucket is empty again: the longest period. */
#define REFILL_MAX_S 4294967
#define MICROSECONDS 1000000 /* microseconds per second */

static bool is_bucket(const mcp_limit *limit) {
	return limit->algorithm == MCP_LIMITING_TOKEN_BUCKET;
}

static bool judge_slots(zend_long slots, mcp_limit *limit) {
	limit->slots = (uint32_t)slots;
	if (!php_mcp_options_is_between(6, slots, 1, SLOTS_MAX)) {
		return false;
	}
	if (is_bucket(limit) || mcp_limit_slot_ms(limit) >= MCP_LIMIT_SLOT_MIN_MS) {
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
	if (is_bucket(limit) && limit->limit > limit->period_ms * 1000) {
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
	if (!is_bucket(limit)) {
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
static bool judge_limit(const mcp_rate_limiter_arguments *arguments, mcp_limit *limit) {
	bool is_default = arguments->algorithm == NULL;
	limit->algorithm = is_default ? MCP_LIMITING_SLIDING_WINDOW
								  : (mcp_limiting)php_mcp_enums_case(arguments->algorithm);
	limit->limit = (uint64_t)arguments->limit;
	return php_mcp_options_is_between(3, arguments->limit, 1, MCP_LIMIT_MAX) &&
		php_mcp_duration_parse(arguments->period, 4, MCP_DURATION_POSITIVE, &limit->period_ms) &&
		judge_slots(arguments->slots, limit) && judge_rate(limit) && judge_burst(arguments, limit);
}

/* Accept a bool or null only: the string "false" from a setting would count as true. */
static bool judge_when_down(const zval *given, mcp_when_down *when_down) {
	bool is_null = given == NULL || Z_TYPE_P(given) == IS_NULL;
	bool lets_in = false;
	if (!is_null &&
		!php_mcp_options_read_switch(8, given, "true admits all requests, false rejects all",
			&lets_in)) {
		return false;
	}
	*when_down = php_mcp_when_down_of(lets_in, is_null);
	return true;
}

static void show(const mcp_named_object *named, zval *info) {
	const mcp_rate_limiter_object *object = php_mcp_named_object_derived(&named->std);
	const mcp_limit *limit = &object->limit;
	add_assoc_long(info, "limit", (zend_long)limit->limit);
	php_mcp_object_add_seconds(Z_ARRVAL_P(info), "period", limit->period_ms);
	zend_object *algorithm = php_mcp_enums_object(php_mcp_limiting_enum, limit->algorithm);
	GC_ADDREF(algorithm);
	add_assoc_object(info, "algorithm", algorithm);
	if (limit->algorithm == MCP_LIMITING_SLIDING_WINDOW) {
		add_assoc_long(info, "slots", limit->slots);
	} else if (is_bucket(limit)) {
		add_assoc_long(info, "burst", (zend_long)limit->burst);
	}
	php_mcp_when_down_show(info, &named->when_down, true);
}

/* Begin a call. Returns false with an Error if the object was never constructed. End it with
 * end_limiter_call(). */
static bool begin_limiter_call(mcp_rate_limiter_call *call, zend_object *std,
	const zend_string *who) {
	const mcp_rate_limiter_object *object = php_mcp_named_object_get(std);
	if (object == NULL) {
		return false;
	}
	mcp_key_parts parts = {
		.space = MCP_SPACE_RATE,
		.prefix = php_mcp_pool_prefix(object->named.pool),
		.scope = mcp_bytes_of(object->scope, object->scope_length),
		.name = php_mcp_bytes_of(who),
	};
	call->object = object;
	call->key = mcp_key_make(&call->buffer, &parts);
	call->rate = (mcp_rate){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &call->key,
		.limit = &object->limit,
	};
	call->memory = NULL;
	if (!is_bucket(&object->limit)) {
		size_t slots = mcp_limit_slots_summed(&object->limit);
		mcp_read_scratch reads = php_mcp_read_scratch_make(slots, slots * sizeof(uint64_t));
		call->scratch = (mcp_slots_scratch){reads.keys, reads.buffers, reads.replies, reads.rest};
		call->memory = reads.keys;
	}
	return true;
}

/* True if the default replaces this status. Counts this use of the default. */
static bool default_steps_in(const mcp_rate_limiter_call *call, mcp_status status) {
	const mcp_named_object *named = &call->object->named;
	return php_mcp_when_down_steps_in(&named->when_down, status, named, &call->key);
}

/* Returns false if `status` was thrown. */
static bool end_limiter_call(mcp_rate_limiter_call *call, mcp_status status, const char *action) {
	mcp_bytes name = php_mcp_bytes_of(call->object->named.name);
	if (call->memory != NULL) {
		efree(call->memory);
	}
	if (status == MCP_EXISTS && !is_bucket(&call->object->limit)) {
		php_mcp_failure_throw_because(status, action, name,
			"this process was suspended across the ends of 3 slots; the attempt was not counted");
	} else if (status != MCP_OK) {
		php_mcp_failure_throw_for_key(status, action, name, call->rate.store, &call->key);
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

	mcp_rate_limiter_object *object = php_mcp_named_object_derived(Z_OBJ_P(ZEND_THIS));
	mcp_named_object *named = &object->named;
	mcp_pool *pool = php_mcp_named_object_judge_new(named, arguments.pool, arguments.name);
	mcp_limit limit;
	mcp_when_down when_down;
	if (pool == NULL || !judge_limit(&arguments, &limit) ||
		!judge_when_down(arguments.when_down, &when_down)) {
		RETURN_THROWS();
	}
	object->limit = limit;
	object->scope_length =
		mcp_key_write_first_name(object->scope, MCP_SPACE_RATE, php_mcp_bytes_of(arguments.name));
	object->scope[object->scope_length++] = ':';
	named->when_down = when_down;
	php_mcp_named_object_construct(named, MCP_SPACE_RATE, pool, arguments.name);
}

/* `burst` is the maximum number of attempts that are admitted at once. Without a TokenBucket, it is the limit. */
static bool judge_cost(const mcp_limit *limit, zend_long cost) {
	if (cost >= 1 && (uint64_t)cost <= limit->burst) {
		return true;
	}
	zend_argument_value_error(2, "must be between 1 and the %s, " ZEND_LONG_FMT,
		is_bucket(limit) ? "burst" : "limit", (zend_long)limit->burst);
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

	const mcp_rate_limiter_object *object = php_mcp_named_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL || !judge_cost(&object->limit, cost)) {
		RETURN_THROWS();
	}
	mcp_rate_limiter_call call;
	bool is_admitted;
	begin_limiter_call(&call, Z_OBJ_P(ZEND_THIS), who);
	mcp_status status = mcp_rate_attempt(&call.rate, &call.scratch, (uint64_t)cost, &is_admitted);
	if (status != MCP_OK && default_steps_in(&call, status)) {
		is_admitted = object->named.when_down.answer;
		status = MCP_OK;
	}
	if (!end_limiter_call(&call, status, "check the rate limiter")) {
		RETURN_THROWS();
	}
	RETURN_BOOL(is_admitted);
}

/* State of an unused limit, or of an exhausted limit. */
static mcp_rate_state state_when_down(const mcp_rate_limiter_object *object) {
	if (object->named.when_down.answer) {
		return (mcp_rate_state){.remaining = object->limit.burst};
	}
	return (mcp_rate_state){.wait_us = object->limit.period_ms * 1000};
}

/* Read the state. Returns false with an exception. */
static bool read_limit_state(zend_object *std, const zend_string *who, uint64_t cost,
	mcp_rate_state *state) {
	mcp_rate_limiter_call call;
	if (!begin_limiter_call(&call, std, who)) {
		return false;
	}
	mcp_status status = mcp_rate_read_state(&call.rate, &call.scratch, cost, state);
	if (status != MCP_OK && default_steps_in(&call, status)) {
		*state = state_when_down(call.object);
		status = MCP_OK;
	}
	return end_limiter_call(&call, status, "read the rate limiter");
}

ZEND_METHOD(McPatterns_RateLimiter, remaining) {
	zend_string *who = zend_empty_string;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(who)
	ZEND_PARSE_PARAMETERS_END();

	mcp_rate_state state;
	if (!read_limit_state(Z_OBJ_P(ZEND_THIS), who, 1, &state)) {
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

	const mcp_rate_limiter_object *object = php_mcp_named_object_get(Z_OBJ_P(ZEND_THIS));
	mcp_rate_state state;
	if (object == NULL || !judge_cost(&object->limit, cost) ||
		!read_limit_state(Z_OBJ_P(ZEND_THIS), who, (uint64_t)cost, &state)) {
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
	if (!begin_limiter_call(&call, Z_OBJ_P(ZEND_THIS), who)) {
		RETURN_THROWS();
	}
	end_limiter_call(&call, mcp_rate_reset(&call.rate, &call.scratch), "reset the rate limiter");
}

void php_mcp_class_rate_limiter_register(void) {
	static mcp_named_class limiter = {
		.offset = offsetof(mcp_rate_limiter_object, named),
		.show = show,
	};
	php_mcp_named_class_register(&limiter, register_class_McPatterns_RateLimiter());
}
