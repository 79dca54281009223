/* Keeps an exception of a stored value's code as the cause of a later failure. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_CAUSE_H
#define MCP_PHP_REMEMBER_CAUSE_H

#include "php.h"

/* Clears the current exception and keeps it in *kept, instead of an earlier one. *kept is a reference or NULL. An exit
 * stays. */
void php_mcp_remember_cause_keep(zend_object **kept);

/* Makes the kept exception the first cause of the current one. */
void php_mcp_remember_cause_name(zend_object **kept);

void php_mcp_remember_cause_release(zend_object **kept);

/* Takes over `thrown` and throws it again after a stale value failed to decode, with that failure as its cause. Not
 * after an exit. */
void php_mcp_remember_cause_rethrow(zend_object *thrown);

#endif
