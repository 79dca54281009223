/* The parts of the extension that are written in PHP (lib): reports and their texts. Parts never run during a hit,
 * never hold claims, and never keep state. An error in a part is a bug of the extension. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LIBRARY_H
#define MCP_PHP_LIBRARY_H

#include "php.h"

typedef enum mcp_library_part {
	MCP_LIBRARY_PROMETHEUS,
	MCP_LIBRARY_DIAGNOSIS,
	MCP_LIBRARY_PARTS, /* number of parts */
} mcp_library_part;

/* Calls a part. The first call of a request compiles it.
 * - Takes over the arguments.
 * - True: the caller owns the result. False: an exception is set, for example by a signal handler.
 * - User code can run. The caller must not hold a view of an item. */
bool php_mcp_library_call(mcp_library_part which, zval *arguments, uint32_t count, zval *result);

/* Call it at the end of the request. */
void php_mcp_library_release(void);

/* Joins a list of pieces to a string, because parts do not call functions. Returns an owned string.
 * - A string or an integer is appended unchanged.
 * - A float is appended with all digits, independent of `precision` and the locale.
 * - ['label', string] is escaped for Prometheus's format.
 * - ['bytes', number] becomes "64 MiB", ['seconds', number] "3 days", and ['mode', number] "0770". */
zend_string *php_mcp_library_join(HashTable *pieces);

#endif
