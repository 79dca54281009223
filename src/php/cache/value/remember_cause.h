/* An exception of a stored value that was decoded stands back: the key is computed instead. If that fails, the
 * exception that stood back is told as the cause. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_CAUSE_H
#define MCP_PHP_REMEMBER_CAUSE_H

#include "php.h"

/* Clears the exception that stands and keeps it in *kept, a reference or NULL, in place of what was kept
 * before. An exit stays. */
void php_mcp_remember_cause_keep(zend_object **kept);

/* Makes what was kept the first cause of the exception that stands. */
void php_mcp_remember_cause_name(zend_object **kept);

void php_mcp_remember_cause_release(zend_object **kept);

/* Throws again what stood back for the decoding of an old value, with what that threw as its cause, unless
 * that has ended the script. Takes over the reference. */
void php_mcp_remember_cause_rethrow(zend_object *thrown);

#endif
