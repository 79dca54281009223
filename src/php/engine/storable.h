/* Makes a value ready for serialize(): judges its arrays, and puts them out of user code's reach. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_STORABLE_H
#define MCP_PHP_STORABLE_H

#include "php.h"

#define MCP_STORABLE_TOO_DEEP "nested at most 4096 deep"

/* Puts what to serialize in place of `value` into *held: the same value, or equal arrays of its own where a
 * reference leads to one, because __serialize() of what is in it could change or drop that while the engine
 * reads it. The caller destroys it, which may run destructors. Returns what is wrong with the value, in words
 * that complete "it must be serializable, ..." (then *held is the value itself), or NULL. Runs no user code and
 * looks into no object. */
const char *php_mcp_storable_hold(zval *held, zval *value);

#endif
