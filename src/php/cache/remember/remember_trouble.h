/* Ends a remember() that has a value and cannot store it, or has none and is not to compute one (C6). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_TROUBLE_H
#define MCP_PHP_REMEMBER_TROUBLE_H

#include "../object/cache_object.h"

/* Contains the exception that stands, which says why what was computed cannot be stored. It is counted, told to the
 * pool's listener, and cleared where there is a caller to get the value; after the response it is for the log. False
 * if it stays, as an exit does. May run user code. */
bool php_mcp_remember_trouble_contain(mcp_cache_object *object, zend_string *name, bool has_caller);

/* Throws that rebuilds of the key failed, and when the next one is tried. */
void php_mcp_remember_trouble_throw_paused(zend_string *name, uint64_t pause_end_ms);

#endif
