/* The parts of the extension that are written in PHP (lib): reports and their texts. None of them runs in a hit, holds a claim or
 * keeps state. An error in one is a bug of the extension. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LIBRARY_H
#define MCP_PHP_LIBRARY_H

#include "php.h"

typedef enum mcp_library_part {
	MCP_LIBRARY_PROMETHEUS,
	MCP_LIBRARY_DIAGNOSIS,
	MCP_LIBRARY_PARTS, /* how many there are */
} mcp_library_part;

/* Calls a part. The first call of a request compiles it.
 * - Takes over the arguments.
 * - True: the caller owns the result. False: an exception stands, for example of a signal handler that ran meanwhile.
 * - User code may run. The caller must hold no view of an item. */
bool php_mcp_library_call(mcp_library_part which, zval *arguments, uint32_t count, zval *result);

/* Releases the closures at the end of the request. */
void php_mcp_library_release(void);

/* Joins a list of pieces to a text, because parts call no functions. Returns an owned string.
 * - A string or an integer is appended as it is.
 * - A float is appended with all its digits, independent of `precision` and the locale.
 * - ['label', string] is escaped for Prometheus's format.
 * - ['bytes', number] becomes "64 MiB", ['seconds', number] "3 days", and ['mode', number] "0770". */
zend_string *php_mcp_library_join(HashTable *pieces);

#endif
