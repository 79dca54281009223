/* The mcpatterns.* settings: one table, taken strictly, and Pool::default() follows. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SETTINGS_SETTINGS_H
#define MCP_PHP_SETTINGS_SETTINGS_H

#include "php.h"

/* Registers them when the module starts. A value that a setting cannot have is refused: ini_set() is then false. False here, with
 * the mistakes reported by name and value, if one was refused. */
bool php_mcp_settings_register(int type, int module_number);

#endif
