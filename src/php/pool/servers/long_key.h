/* Keys of PHP's hash tables that may have thousands of bytes, as lists of servers do: hashed at a tenth of what PHP's own
 * function takes, which reads byte by byte. A table that has such keys has no others. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LONG_KEY_H
#define MCP_PHP_LONG_KEY_H

#include "php.h"

/* Makes the caller's own text a key, and returns it. */
zend_string *php_mcp_long_key_hash(zend_string *text);

/* Adds to a persistent table, which has no such key yet, and keeps a copy of the key. */
void php_mcp_long_key_add(HashTable *table, const zend_string *key, void *entry);

#endif
