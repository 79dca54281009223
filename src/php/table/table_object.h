/* The object behind McPatterns\Table, and the way from one of them to what the pattern asks for. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TABLE_OBJECT_H
#define MCP_PHP_TABLE_OBJECT_H

#include "../../patterns/table/table.h"
#include "../pooled/named_object.h"

#include "php.h"

typedef struct mcp_table_object {
	mcp_table_name key_name;
	uint64_t ttl_ms;
	uint32_t shards;
	mcp_named_object named;
} mcp_table_object;

static inline mcp_table_object *php_mcp_table_object_from(zend_object *object) {
	return (mcp_table_object *)((char *)object - offsetof(mcp_table_object, named.std));
}

static inline mcp_bytes php_mcp_table_object_name(const mcp_table_object *object) {
	return php_mcp_named_object_name(&object->named);
}

/* The pattern's wants, on the stack of a method; renewed after user code. It points into itself. */
typedef struct mcp_table_call {
	mcp_table_object *object;
	mcp_key_buffer buffer;
	mcp_key index_key;
	mcp_member_pruning pruning;
	mcp_table table;
} mcp_table_call;

/* Returns the object; NULL with an Error if it was never constructed. */
mcp_table_object *php_mcp_table_object_get(zend_object *std);
void php_mcp_table_call_renew(mcp_table_call *call, mcp_table_object *object);
/* Throws about the row of this id, or, if that is NULL, about the index. */
void php_mcp_table_call_throw(const mcp_table_call *call, mcp_status status, const char *action,
	const zend_string *id);

/* Registers at start-up how objects of the class begin, are shown and end. */
void php_mcp_table_object_register(zend_class_entry *type);

#endif
