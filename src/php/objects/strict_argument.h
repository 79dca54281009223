/* Arguments that are taken as under strict_types, where PHP would read another thing into them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_STRICT_ARGUMENT_H
#define MCP_PHP_STRICT_ARGUMENT_H

#include "php.h"

/* Reads an argument that may be true or false alone; one that is NULL was not given, and leaves `is_on`. False with a
 * TypeError that ends in `advice`. */
bool php_mcp_strict_argument_read_switch(uint32_t number, const zval *given, const char *advice,
	bool *is_on);

/* Refuses a number where a text stands that would take it unnoticed: a port or a TTL for a prefix. Called before the
 * arguments are parsed, which makes strings of numbers. False with a TypeError that ends in `advice`. */
bool php_mcp_strict_argument_judge_text(const zend_execute_data *execute_data, uint32_t number,
	const char *advice);

/* Refuses true and false where a number stands, as which PHP would take them: true for a wait of one second. As above. */
bool php_mcp_strict_argument_judge_number(const zend_execute_data *execute_data, uint32_t number,
	const char *advice);

/* Reads in place, as PHP does, one of the texts of a variadic parameter. False with a TypeError, which says of an array how
 * to give it. */
bool php_mcp_strict_argument_read_text_of_many(uint32_t number, zval *given, zend_string **text);

#endif
