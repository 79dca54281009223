/* Checks windows: N slots of equal length in whole seconds. */
/* SPDX-License-Identifier: MIT */
#include "window_arguments.h"

#include "options.h"

bool php_mcp_window_arguments_judge(zend_long length_s, zend_long slots, zend_long slots_max,
	mcp_window *window) {
	if (!php_mcp_options_is_between(4, slots, 1, slots_max)) {
		return false;
	}
	if (length_s < slots || length_s > UINT32_MAX) {
		zend_argument_value_error(3,
			"must be at least 1 second for each of the " ZEND_LONG_FMT " slots, and at most %u",
			slots, UINT32_MAX);
		return false;
	}
	if (!mcp_window_is_valid(length_s, slots)) {
		zend_argument_value_error(3, "must be divisible by the number of slots, " ZEND_LONG_FMT,
			slots);
		return false;
	}
	*window = (mcp_window){(uint32_t)length_s, (uint32_t)slots};
	return true;
}

void php_mcp_window_arguments_show(HashTable *info, const char *length, const mcp_window *window) {
	zval array;
	ZVAL_ARR(&array, info);
	add_assoc_long(&array, length, window->length_s);
	add_assoc_long(&array, "slots", window->slots);
}
