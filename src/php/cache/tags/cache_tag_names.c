/* Reads tags: any strings, but none that is empty, longer than a key, or begins as the namespaces' own tags do. */
/* SPDX-License-Identifier: MIT */
#include "cache_tag_names.h"

static bool judge(const zend_string *name, uint32_t arg_num) {
	if (ZSTR_LEN(name) == 0) {
		zend_argument_value_error(arg_num, "must not be an empty tag");
		return false;
	}
	if (ZSTR_LEN(name) > MCP_WIRE_KEY_MAX) {
		zend_argument_value_error(arg_num, "must not be a tag of more than %d bytes",
			MCP_WIRE_KEY_MAX);
		return false;
	}
	if (ZSTR_VAL(name)[0] == '\0') {
		zend_argument_value_error(arg_num, "must not be a tag that begins with a zero byte");
		return false;
	}
	return true;
}

static bool add(zend_array *names, zend_string *name, uint32_t arg_num) {
	if (!judge(name, arg_num)) {
		return false;
	}
	zend_hash_add(names, name, &EG(uninitialized_zval));
	if (zend_hash_num_elements(names) > MCP_TAG_NAMES_MAX) {
		zend_argument_value_error(arg_num, "must not be one of more than %d tags",
			MCP_TAG_NAMES_MAX);
		return false;
	}
	return true;
}

static bool add_list(zend_array *names, zend_array *given, uint32_t arg_num) {
	zval *name;
	ZEND_HASH_FOREACH_VAL(given, name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING) {
			zend_argument_type_error(arg_num, "must be an array of strings, %s given in it",
				zend_zval_type_name(name));
			return false;
		}
		if (!add(names, Z_STR_P(name), arg_num)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Takes a type for another one in no case: the `true` of a forgotten parameter must not become the tag "1". */
static bool add_argument(zend_array *names, zval *argument, uint32_t arg_num) {
	ZVAL_DEREF(argument);
	if (Z_TYPE_P(argument) == IS_STRING) {
		return add(names, Z_STR_P(argument), arg_num);
	}
	if (Z_TYPE_P(argument) == IS_ARRAY) {
		return add_list(names, Z_ARRVAL_P(argument), arg_num);
	}
	zend_argument_type_error(arg_num, "must be of type array|string, %s given",
		zend_zval_type_name(argument));
	return false;
}

bool php_mcp_cache_tag_names_parse(zval *arguments, uint32_t count, zend_array *names) {
	bool is_any = false;
	for (uint32_t i = 0; i < count; i++) {
		if (!add_argument(names, &arguments[i], i + 1)) {
			return false;
		}
		is_any |=
			Z_TYPE(arguments[i]) != IS_ARRAY || zend_hash_num_elements(Z_ARRVAL(arguments[i])) > 0;
	}
	if (!is_any) {
		zend_argument_value_error(1, "must have 1 to %d tags", MCP_TAG_NAMES_MAX);
	}
	return is_any;
}
