/* The window of a constructor: its length in seconds and its slots, as the third and fourth parameter. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_WINDOW_ARGUMENTS_H
#define MCP_PHP_WINDOW_ARGUMENTS_H

#include "../../core/items/window.h"

#include "php.h"

/* False with a ValueError about one of the two if they cannot be a window. */
bool php_mcp_window_arguments_judge(zend_long length_s, zend_long slots, zend_long slots_max,
	mcp_window *window);
/* Shows the window to var_dump(): `length` is the third parameter's name. */
void php_mcp_window_arguments_show(HashTable *info, const char *length, const mcp_window *window);

#endif
