/* PHP itself takes any string but "" and "0" for true, and any number for a string. */
/* SPDX-License-Identifier: MIT */
#include "strict_argument.h"

bool php_mcp_strict_argument_read_switch(uint32_t number, const zval *given, const char *advice,
	bool *is_on) {
	if (given == NULL) {
		return true;
	}
	if (Z_TYPE_P(given) != IS_TRUE && Z_TYPE_P(given) != IS_FALSE) {
		zend_argument_type_error(number, "must be of type bool, %s given: %s",
			zend_zval_type_name(given), advice);
		return false;
	}
	*is_on = Z_TYPE_P(given) == IS_TRUE;
	return true;
}

bool php_mcp_strict_argument_judge_text(const zend_execute_data *execute_data, uint32_t number,
	const char *advice) {
	if (ZEND_CALL_NUM_ARGS(execute_data) < number) {
		return true;
	}
	const zval *given = ZEND_CALL_ARG(execute_data, number);
	if (Z_ISREF_P(given)) {
		given = Z_REFVAL_P(given);
	}
	if (Z_TYPE_P(given) != IS_LONG && Z_TYPE_P(given) != IS_DOUBLE) {
		return true;
	}
	zend_argument_type_error(number, "must be of type string, %s given: %s",
		zend_zval_type_name(given), advice);
	return false;
}

bool php_mcp_strict_argument_read_text_of_many(uint32_t number, zval *given, zend_string **text) {
	if (zend_parse_arg_str(given, text, false, number)) {
		return true;
	}
	if (EG(exception) == NULL) {
		zend_argument_type_error(number, "must be of type string, %s given%s",
			zend_zval_type_name(given),
			Z_TYPE_P(given) == IS_ARRAY ? ": unpack an array by ... before it" : "");
	}
	return false;
}
