/* Prepares a value for serialize(): checks its arrays and protects them from user code. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_STORABLE_H
#define MCP_PHP_STORABLE_H

#include "php.h"

#define MCP_STORABLE_TOO_DEEP "the value is nested more than 4096 levels deep"

/* Puts the value to serialize into *held: the value itself, or a copy of its arrays if a reference leads to an array.
 * - Reason: a __serialize() could change or drop such an array while the engine reads it.
 * - The caller destroys *held, which can run destructors.
 * - Returns NULL, or the reason that completes "not serializable: ..."; *held is then the value itself.
 * - Runs no user code and does not read objects. */
const char *php_mcp_storable_hold(zval *held, zval *value);

#endif
