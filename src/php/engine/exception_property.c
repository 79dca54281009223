/* Reads a property of an exception in the scope of Exception or Error, which declares it. */
/* SPDX-License-Identifier: MIT */
#include "exception_property.h"

#include "zend_exceptions.h"

zval *php_mcp_exception_property_read(zend_object *exception, zend_known_string_id property,
	zval *buffer) {
	return zend_read_property_ex(zend_get_exception_base(exception), exception,
		ZSTR_KNOWN(property), true, buffer);
}
