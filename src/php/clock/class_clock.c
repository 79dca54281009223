/* The class McPatterns\Clock: freezes and advances the clock of this thread's environment (environment.c). */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "php_mcpatterns.h"

#include "class_clock_arginfo.h"

/* Last second of the year 9999. An envelope can store later times, because it has 48 bits for milliseconds. */
#define LATEST_S 253402300799.0

static uint64_t to_ms(double seconds) {
	return (uint64_t)llround(seconds * 1000.0);
}

static double now_s(void) {
	return (double)mcp_wall_ms(php_mcp_environment_get()) / 1000.0;
}

ZEND_METHOD(McPatterns_Clock, __construct) {
	ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(McPatterns_Clock, now) {
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_DOUBLE(now_s());
}

ZEND_METHOD(McPatterns_Clock, freeze) {
	double at = 0;
	bool is_now = true;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(at, is_now)
	ZEND_PARSE_PARAMETERS_END();

	if (!is_now && !(at >= 0 && at <= LATEST_S)) {
		zend_argument_value_error(1, "must be a Unix time before the year 10000");
		RETURN_THROWS();
	}
	php_mcp_environment_freeze_clock(&MCP_G(clock),
		is_now ? mcp_wall_ms(php_mcp_environment_get()) : to_ms(at));
}

ZEND_METHOD(McPatterns_Clock, advance) {
	double seconds;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_DOUBLE(seconds)
	ZEND_PARSE_PARAMETERS_END();

	if (!zend_finite(seconds) || seconds < 0) {
		zend_argument_value_error(1,
			"must be a finite number of seconds greater than or equal to 0");
		RETURN_THROWS();
	}
	if (seconds > LATEST_S - now_s()) {
		zend_argument_value_error(1, "must not advance the clock beyond the year 9999");
		RETURN_THROWS();
	}
	php_mcp_environment_advance_clock(&MCP_G(clock), to_ms(seconds));
}

ZEND_METHOD(McPatterns_Clock, unfreeze) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_mcp_environment_unfreeze_clock();
}

void php_mcp_class_clock_register(void) {
	register_class_McPatterns_Clock();
}
