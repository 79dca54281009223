/* Strict checks of arguments. PHP reads any string but "" and "0" as true, any number as a string, and true as 1. */
/* SPDX-License-Identifier: MIT */
#include "strict_argument.h"

bool php_mcp_strict_argument_read_switch(uint32_t number, const zval *given, const char *advice,
	bool *is_on) {
	if (given == NULL) {
		return true;
	}
	if (Z_TYPE_P(given) != IS_TRUE && Z_TYPE_P(given) != IS_FALSE) {
		zend_argument_type_error(number, "must be of type bool, %s given; %s",
			zend_zval_type_name(given), advice);
		return false;
	}
	*is_on = Z_TYPE_P(given) == IS_TRUE;
	return true;
}

/* IS_UNDEF if the argument was not given. */
static uint32_t type_given(const zend_execute_data *execute_data, uint32_t number) {
	if (ZEND_CALL_NUM_ARGS(execute_data) < number) {
		return IS_UNDEF;
	}
	const zval *given = ZEND_CALL_ARG(execute_data, number);
	return Z_TYPE_P(Z_ISREF_P(given) ? Z_REFVAL_P(given) : given);
}

bool php_mcp_strict_argument_judge_text(const zend_execute_data *execute_data, uint32_t number,
	const char *advice) {
	uint32_t type = type_given(execute_data, number);
	if (type != IS_LONG && type != IS_DOUBLE) {
		return true;
	}
	zend_argument_type_error(number, "must be of type string, %s given; %s",
		zend_get_type_by_const((int)type), advice);
	return false;
}

bool php_mcp_strict_argument_judge_number(const zend_execute_data *execute_data, uint32_t number,
	const char *advice) {
	uint32_t type = type_given(execute_data, number);
	if (type != IS_TRUE && type != IS_FALSE) {
		return true;
	}
	zend_argument_type_error(number, "must be of type int|float, bool given; %s", advice);
	return false;
}

bool php_mcp_strict_argument_read_text_of_many(uint32_t number, zval *given, zend_string **text) {
	if (zend_parse_arg_str(given, text, false, number)) {
		return true;
	}
	if (EG(exception) == NULL) {
		zend_argument_type_error(number, "must be of type string, %s given%s",
			zend_zval_type_name(given),
			Z_TYPE_P(given) == IS_ARRAY ? "; spread the array with ..." : "");
	}
	return false;
}
