/* The keys and values that a call on many is given, whatever iterable they come in. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_COLLECT_H
#define MCP_PHP_CACHE_COLLECT_H

#include "php.h"

/* Both run user code to the end of the iterable, so that nothing is asked of a server before it has ended. False
 * with an exception: of the iterator, or about parameter arg_num, for what is no key. The caller destroys the
 * table in either case. */

/* Makes *names: each name once, in the order given, with null to it. */
bool php_mcp_cache_collect_names(HashTable *names, zval *keys, uint32_t arg_num);

/* Makes *values: name => value, never a reference. The last of several values of one name counts. */
bool php_mcp_cache_collect_values(HashTable *values, zval *given, uint32_t arg_num);

#endif
