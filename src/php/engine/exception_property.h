/* Reads a property of an exception, even a manipulated one. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_EXCEPTION_PROPERTY_H
#define MCP_PHP_EXCEPTION_PROPERTY_H

#include "php.h"

/* Read ZEND_STR_MESSAGE or ZEND_STR_PREVIOUS as stored, because unserialized bytes may have set it to anything.
 * Returns a borrowed value or *buffer. Runs __get if the class has unset the property. */
zval *php_mcp_exception_property_read(zend_object *exception, zend_known_string_id property,
	zval *buffer);

#endif
