/* Turns int|float seconds into milliseconds and refuses what is none: NaN, negative, endless. */
/* SPDX-License-Identifier: MIT */
#include "duration.h"

#include <math.h>

#define SHORT_MAX_S 4294967.0 /* 2^32 ms, rounded down */

static const char *fault(double seconds, mcp_duration_rule rule) {
	bool may_be_infinite = rule == MCP_DURATION_OR_INFINITE;
	if (isnan(seconds) || (isinf(seconds) && !(may_be_infinite && seconds > 0))) {
		return may_be_infinite ? "must be a number of seconds or INF"
							   : "must be a finite number of seconds";
	}
	if (rule == MCP_DURATION_POSITIVE && seconds <= 0) {
		return "must be greater than 0";
	}
	if (seconds < 0) {
		return "must be greater than or equal to 0";
	}
	if ((rule == MCP_DURATION_POSITIVE || rule == MCP_DURATION_SHORT) && seconds > SHORT_MAX_S) {
		return "must be at most 4294967 seconds";
	}
	if (seconds > MCP_DURATION_MAX_S && !isinf(seconds)) {
		return "must be at most 10000000000 seconds";
	}
	return NULL;
}

bool mcp_duration_parse(zval *value, uint32_t arg_num, mcp_duration_rule rule, uint64_t *ms) {
	double seconds = Z_TYPE_P(value) == IS_LONG ? (double)Z_LVAL_P(value) : Z_DVAL_P(value);
	const char *reason = fault(seconds, rule);
	if (reason != NULL) {
		zend_argument_value_error(arg_num, "%s", reason);
		return false;
	}
	*ms = mcp_duration_ms(seconds);
	return true;
}

uint64_t mcp_duration_ms(double seconds) {
	return isinf(seconds) ? UINT64_MAX : (uint64_t)ceil(seconds * 1000);
}
