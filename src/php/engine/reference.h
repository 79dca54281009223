/* Assigns to a variable that was passed to a method by reference. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REFERENCE_H
#define MCP_PHP_REFERENCE_H

#include "php.h"

/* Assign as the engine does, but destroy the previous value last: its destructor may use the variable. Takes over
 * `value`. Does nothing if `variable` is no reference (call_user_func() passes a value). May leave an exception of a
 * type check or of the destructor. */
void php_mcp_reference_assign(zval *variable, zval *value);

#endif
