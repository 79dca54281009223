/* Rows that were read, from the store's bytes to values. Everything is read and copied before the first row is decoded:
 * decoding is user code, and would end the views of those not yet looked at. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TABLE_ROWS_H
#define MCP_PHP_TABLE_ROWS_H

#include "table_object.h"

/* Reads the row of this id. False, with nothing in *value, if there is none, or none that can be read, or with
 * an exception. */
bool php_mcp_table_rows_get(mcp_table_call *call, zend_string *id, zval *value);

/* Lists the ids. False with an exception. */
bool php_mcp_table_rows_ids(mcp_table_call *call, zval *list, size_t *count);

/* Reads id => row of these ids, which are strings. False with an exception. `tidies`: where most of them have no
 * row, the index is compacted. */
bool php_mcp_table_rows_read(mcp_table_call *call, HashTable *ids, bool tidies, zval *rows);

#endif
