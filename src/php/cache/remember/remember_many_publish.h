/* The storing of what the callback of Cache::rememberMany() has computed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBER_MANY_PUBLISH_H
#define MCP_PHP_REMEMBER_MANY_PUBLISH_H

#include "remembering_many.h"

/* Stores and answers what was computed for the turns; what is missing was not: it is answered with null, and its claim is given
 * back. C18: a value that cannot be stored keeps no other from being stored; the exceptions come after them. Runs user
 * code. */
void php_mcp_remember_many_publish(mcp_remembering_many *call, HashTable *computed,
	uint32_t compute_ms);

#endif
