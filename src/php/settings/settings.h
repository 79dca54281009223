/* The mcpatterns.* settings: one table with strict checks. Pool::default() uses them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SETTINGS_SETTINGS_H
#define MCP_PHP_SETTINGS_SETTINGS_H

#include "php.h"

/* Registers the settings when the module starts. False if an initial value is invalid; it was reported with its name.
 * Later, ini_set() returns false for an invalid value. */
bool php_mcp_settings_register(int type, int module_number);

#endif
