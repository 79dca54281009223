/* Changing a row: by what the caller has, and by what user code makes of the old one. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TABLE_UPDATE_H
#define MCP_PHP_TABLE_UPDATE_H

#include "../engine/user_call.h"
#include "table_object.h"

/* Puts the row; false with an exception. */
bool php_mcp_table_update_put(mcp_table_object *object, zend_string *id, zval *row);

/* Calls $change until what it made is stored, and returns that. False with an exception. */
bool php_mcp_table_update_change(mcp_table_object *object, zend_string *id, mcp_user_call *change,
	zval *changed);

#endif
