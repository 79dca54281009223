/* PHP itself takes any string but "" and "0" for true. */
/* SPDX-License-Identifier: MIT */
#include "switch_argument.h"

bool php_mcp_switch_argument_read(uint32_t number, const zval *given, const char *advice,
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
