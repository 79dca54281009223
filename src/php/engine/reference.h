/* Assigning to a variable that a method was given by reference. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REFERENCE_H
#define MCP_PHP_REFERENCE_H

#include "php.h"

/* Assigns as the engine does, but destroys what was there before last: its destructor may use the variable. Takes
 * over `value`. A `variable` that is no reference (by call_user_func() it comes as a value) is told nothing. May
 * leave an exception: of the variable's type, or of that destructor. */
void php_mcp_reference_assign(zval *variable, zval *value);

#endif
