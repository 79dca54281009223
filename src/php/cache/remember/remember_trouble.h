/* Ends a remember() that cannot store its value, or whose rebuilds are paused (C6). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_TROUBLE_H
#define MCP_PHP_REMEMBER_TROUBLE_H

#include "../object/cache_object.h"

/* Contains the current exception about a result that cannot be stored: counts it, reports it to the pool's listener,
 * and clears it if a caller gets the value. After the response it is logged. False if the exception stays, as an exit
 * does. Can run user code. */
bool php_mcp_remember_trouble_contain(mcp_cache_object *object, zend_string *name, bool has_caller);

/* Throws that rebuilds of the key failed, with the time of the next attempt. */
void php_mcp_remember_trouble_throw_paused(zend_string *name, uint64_t pause_end_ms);

#endif
