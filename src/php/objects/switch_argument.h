/* A bool where one more of what stands before it would be taken for true. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SWITCH_ARGUMENT_H
#define MCP_PHP_SWITCH_ARGUMENT_H

#include "php.h"

/* Reads an argument that may be true or false alone, also without strict_types; one that is NULL was not given, and leaves
 * `is_on`. False with a TypeError that ends in `advice`. */
bool php_mcp_switch_argument_read(uint32_t number, const zval *given, const char *advice,
	bool *is_on);

#endif
