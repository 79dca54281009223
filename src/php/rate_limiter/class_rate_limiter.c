/* The class McPatterns\RateLimiter: its constructor and methods over patterns/rate_limiter/rate_limiter.h. */
/* SPDX-License-Identifier: MIT */
#include "rate_limiter_arguments.h"
#include "rate_limiter_object.h"

#include "../objects/classes.h"
#include "../objects/enums.h"
#include "../objects/object.h"
#include "../pool/class_pool.h"

#include "class_rate_limiter_arginfo.h"

#define MICROSECONDS 1000000 /* of a second */

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
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(arguments.how, php_mcp_limiting_enum)
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

/* Says how many are within the limit at once. */
static uint64_t most_at_once(const mcp_limit *limit) {
	return limit->how == MCP_LIMITING_BUCKET ? limit->burst : limit->limit;
}

static bool judge_cost(const mcp_limit *limit, zend_long cost) {
	bool is_bucket = limit->how == MCP_LIMITING_BUCKET;
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
	if (!php_mcp_rate_limiter_call_end(&call, status, "ask the rate limiter")) {
		RETURN_THROWS();
	}
	RETURN_BOOL(is_admitted);
}

/* Makes a state as if nothing had been counted, or as if everything were used up. */
static mcp_rate_state state_when_down(const mcp_rate_limiter_object *object) {
	if (object->when_down.answer) {
		return (mcp_rate_state){.remaining = most_at_once(&object->limit)};
	}
	return (mcp_rate_state){.wait_us = object->limit.period_ms * 1000};
}

/* Looks at the state; false with an exception. */
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
