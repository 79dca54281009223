/* The window of a constructor: its length in seconds (parameter 3) and its number of slots (parameter 4). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_WINDOW_ARGUMENTS_H
#define MCP_PHP_WINDOW_ARGUMENTS_H

#include "../../core/items/window.h"

#include "php.h"

/* False with a ValueError about the length or the slots. */
bool php_mcp_window_arguments_judge(zend_long length_s, zend_long slots, zend_long slots_max,
	mcp_window *window);
/* Adds the window to the output of var_dump(). `length`: name of parameter 3. */
void php_mcp_window_arguments_show(HashTable *info, const char *length, const mcp_window *window);

#endif
