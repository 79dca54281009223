/* The class McPatterns\Table: each method reads its arguments, asks for its work and answers. */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "../engine/compat.h"
#include "../member_set/member_changes.h"
#include "../member_set/member_set_arguments.h"
#include "table_object.h"
#include "table_rows.h"
#include "table_update.h"

#include "class_table_arginfo.h"

ZEND_METHOD(McPatterns_Table, __construct) {
	mcp_table_object *object = php_mcp_table_object_from(Z_OBJ_P(ZEND_THIS));
	mcp_member_set_arguments arguments;
	(void)return_value;
	if (!php_mcp_member_set_arguments_parse(execute_data, &object->named, &arguments)) {
		RETURN_THROWS();
	}
	object->ttl_ms = arguments.ttl_ms;
	object->shards = arguments.shards;
	php_mcp_named_object_hold(&object->named, arguments.pool, arguments.name);
	mcp_table_name_make(&object->key_name, php_mcp_table_object_name(object));
}

/* NULL with an exception if there is no such object, or the id is none. */
static mcp_table_object *object_for(zend_object *std, const zend_string *id) {
	mcp_table_object *object = php_mcp_table_object_get(std);
	return object != NULL && php_mcp_member_changes_judge(id, 1) ? object : NULL;
}

ZEND_METHOD(McPatterns_Table, put) {
	zend_string *id;
	zval *row;
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(id)
		Z_PARAM_ZVAL(row)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL || !php_mcp_table_update_put(object, id, row)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Table, get) {
	zend_string *id;
	zval *fallback = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(id)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(fallback)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	php_mcp_table_call_renew(&call, object);
	if (php_mcp_table_rows_get(&call, id, return_value)) {
		return;
	}
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	if (fallback != NULL) {
		RETURN_COPY_DEREF(fallback);
	}
}

ZEND_METHOD(McPatterns_Table, has) {
	zend_string *id;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(id)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	mcp_row row;
	php_mcp_table_call_renew(&call, object);
	mcp_status status = mcp_table_get(&call.table, mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id)), &row);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(&call, status, "read the row", id);
		RETURN_THROWS();
	}
	RETURN_BOOL(row.is_there);
}

ZEND_METHOD(McPatterns_Table, update) {
	zend_string *id;
	mcp_user_call change = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(id)
		Z_PARAM_FUNC(change.info, change.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL || !php_mcp_table_update_change(object, id, &change, return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Table, delete) {
	zend_string *id;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(id)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	php_mcp_table_call_renew(&call, object);
	mcp_status status = mcp_table_delete(&call.table, mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id)));
	if (status != MCP_OK) {
		php_mcp_table_call_throw(&call, status, "delete the row", id);
	}
}

/* Reads the ids; false with an exception. */
static bool read_ids(mcp_table_call *call, zend_object *std, zval *list, size_t *count) {
	mcp_table_object *object = php_mcp_table_object_get(std);
	if (object == NULL) {
		return false;
	}
	php_mcp_table_call_renew(call, object);
	return php_mcp_table_rows_ids(call, list, count);
}

ZEND_METHOD(McPatterns_Table, ids) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_call call;
	size_t count;
	if (!read_ids(&call, Z_OBJ_P(ZEND_THIS), return_value, &count)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Table, count) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_call call;
	size_t count;
	if (!read_ids(&call, Z_OBJ_P(ZEND_THIS), NULL, &count)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)count);
}

/* Gives the text of one of rows()'s ids, which may be a number, as array keys become. NULL with an exception. */
static zend_string *id_of(zval *id) {
	ZVAL_DEREF(id);
	if (Z_TYPE_P(id) != IS_STRING && Z_TYPE_P(id) != IS_LONG) {
		zend_argument_type_error(1, "must be an array of strings, %s in it",
			zend_zval_type_name(id));
		return NULL;
	}
	zend_string *text = zval_get_string(id);
	if (ZSTR_LEN(text) == 0) {
		zend_argument_value_error(1, "cannot contain an empty id");
	} else if (php_mcp_member_changes_judge(text, 1)) {
		return text;
	}
	zend_string_release(text);
	return NULL;
}

/* Copies ids to a list of strings of its own. False with an exception. */
static bool copy_ids(HashTable *ids, zval *list) {
	zval *id;
	array_init_size(list, zend_hash_num_elements(ids));
	ZEND_HASH_FOREACH_VAL(ids, id) {
		zend_string *text = id_of(id);
		if (text == NULL) {
			zval_ptr_dtor(list);
			return false;
		}
		add_next_index_str(list, text);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(McPatterns_Table, rows) {
	HashTable *given = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT_OR_NULL(given)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = php_mcp_table_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	zval ids;
	size_t count;
	php_mcp_table_call_renew(&call, object);
	if (given != NULL ? !copy_ids(given, &ids) : !php_mcp_table_rows_ids(&call, &ids, &count)) {
		RETURN_THROWS();
	}
	php_mcp_table_rows_read(&call, Z_ARRVAL(ids), given == NULL, return_value);
	zval_ptr_dtor(&ids);
}

ZEND_METHOD(McPatterns_Table, clear) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_object *object = php_mcp_table_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	php_mcp_table_call_renew(&call, object);
	mcp_status status = mcp_table_clear(&call.table);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(&call, status, "clear the table", NULL);
	}
}

void php_mcp_class_table_register(void) {
	php_mcp_table_object_register(register_class_McPatterns_Table());
}
