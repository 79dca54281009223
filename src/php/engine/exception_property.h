/* Reading what stands in an exception, whatever has been made of it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_EXCEPTION_PROPERTY_H
#define MCP_PHP_EXCEPTION_PROPERTY_H

#include "php.h"

/* Reads a property that every Exception and every Error has, ZEND_STR_MESSAGE or ZEND_STR_PREVIOUS, as it stands
 * there: stored bytes may have made anything of it. Borrowed, or in *buffer. A __get runs where a class has unset
 * it. */
zval *php_mcp_exception_property_read(zend_object *exception, zend_known_string_id property,
	zval *buffer);

#endif
