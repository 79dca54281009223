/* Each number is judged beside those that it has to go with: a slot by the period, a burst by the rate. */
/* SPDX-License-Identifier: MIT */
#include "rate_limiter_arguments.h"

#include "../objects/duration.h"
#include "../objects/enums.h"
#include "../objects/strict_argument.h"

#define SLOTS_MAX 1000
/* The time that a full bucket needs to be empty again, as long as the longest period. */
#define REFILL_MAX_S 4294967
#define MICROSECONDS 1000000 /* of a second */

static bool judge_limit(zend_long number, mcp_limit *limit) {
	if (number < 1 || (uint64_t)number > MCP_LIMIT_MAX) {
		zend_argument_value_error(3, "must be between 1 and " ZEND_LONG_FMT,
			(zend_long)MCP_LIMIT_MAX);
		return false;
	}
	limit->limit = (uint64_t)number;
	return true;
}

static bool judge_slots(zend_long slots, mcp_limit *limit) {
	if (slots < 1 || slots > SLOTS_MAX) {
		zend_argument_value_error(6, "must be between 1 and %d", SLOTS_MAX);
		return false;
	}
	limit->slots = (uint32_t)slots;
	if (limit->how == MCP_LIMITING_BUCKET || mcp_limit_slot_ms(limit) >= MCP_LIMIT_SLOT_MIN_MS) {
		return true;
	}
	if (limit->how == MCP_LIMITING_SLIDING) {
		zend_argument_value_error(4,
			"must be at least 0.1 seconds for each of the " ZEND_LONG_FMT " slots", slots);
	} else {
		zend_argument_value_error(4, "must be at least 0.1 seconds");
	}
	return false;
}

static bool judge_rate(const mcp_limit *limit) {
	if (limit->how == MCP_LIMITING_BUCKET && limit->limit > limit->period_ms * 1000) {
		zend_argument_value_error(3, "must be at most a million a second for Limiting::Bucket");
		return false;
	}
	return true;
}

static bool judge_burst(const mcp_rate_limiter_arguments *arguments, mcp_limit *limit) {
	limit->burst = limit->limit;
	if (arguments->has_no_burst) {
		return true;
	}
	if (limit->how != MCP_LIMITING_BUCKET) {
		zend_argument_value_error(7, "is for Limiting::Bucket only");
		return false;
	}
	uint64_t most = (uint64_t)REFILL_MAX_S * MICROSECONDS / mcp_limit_interval_us(limit);
	if (arguments->burst < 1 || (uint64_t)arguments->burst > most) {
		zend_argument_value_error(7,
			"must be between 1 and " ZEND_LONG_FMT ", what comes back in %d seconds",
			(zend_long)most, REFILL_MAX_S);
		return false;
	}
	limit->burst = (uint64_t)arguments->burst;
	return true;
}

/* Judges what the limit is; false with an exception. */
static bool judge(const mcp_rate_limiter_arguments *arguments, mcp_limit *limit) {
	bool is_default = arguments->how == NULL;
	limit->how =
		is_default ? MCP_LIMITING_SLIDING : (mcp_limiting)php_mcp_enums_case(arguments->how);
	if (ZSTR_LEN(arguments->name) == 0) {
		zend_argument_value_error(2, "cannot be empty");
		return false;
	}
	return judge_limit(arguments->limit, limit) &&
		php_mcp_duration_parse(arguments->period, 4, MCP_DURATION_POSITIVE, &limit->period_ms) &&
		judge_slots(arguments->slots, limit) && judge_rate(limit) && judge_burst(arguments, limit);
}

/* Judges whether it is a bool or null: a "false" out of a setting would let everybody in. */
static bool judge_when_down(const zval *given, mcp_when_down *when_down) {
	bool is_null = given == NULL || Z_TYPE_P(given) == IS_NULL;
	bool lets_in = false;
	*when_down = php_mcp_when_down_of(0, is_null);
	if (!is_null &&
		!php_mcp_strict_argument_read_switch(8, given, "true lets everybody in, false nobody",
			&lets_in)) {
		return false;
	}
	when_down->answer = lets_in;
	return true;
}

bool php_mcp_rate_limiter_arguments_judge(const mcp_rate_limiter_arguments *arguments,
	mcp_limit *limit, mcp_when_down *when_down) {
	return judge(arguments, limit) && judge_when_down(arguments->when_down, when_down);
}
