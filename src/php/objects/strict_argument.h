/* Arguments that are checked as under strict_types, because PHP would convert a mistake silently. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_STRICT_ARGUMENT_H
#define MCP_PHP_STRICT_ARGUMENT_H

#include "php.h"

/* Reads an argument that must be true or false. NULL: not given, *is_on stays. False with a TypeError that ends in
 * `advice`. */
bool php_mcp_strict_argument_read_switch(uint32_t number, const zval *given, const char *advice,
	bool *is_on);

/* Rejects a number for a string parameter, such as a port or a TTL for a prefix. Call it before the arguments are
 * parsed, because parsing converts numbers to strings. False with a TypeError that ends in `advice`. */
bool php_mcp_strict_argument_judge_text(const zend_execute_data *execute_data, uint32_t number,
	const char *advice);

/* Rejects true and false for a number: PHP would read true as a wait of 1 second. Call it before the arguments are
 * parsed, too. */
bool php_mcp_strict_argument_judge_number(const zend_execute_data *execute_data, uint32_t number,
	const char *advice);

/* Reads one string of a variadic parameter in place, as PHP does. False with a TypeError. For an array, the message
 * advises to unpack it. */
bool php_mcp_strict_argument_read_text_of_many(uint32_t number, zval *given, zend_string **text);

#endif
