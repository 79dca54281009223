/* JSON: arrays, UTF-8 strings, numbers, booleans and null, readable by other languages. */
/* SPDX-License-Identifier: MIT */
#include "serializers.h"

#include "../engine/compat.h"
#include "../engine/storable.h"
#include "plain.h"
#include "zend_smart_str.h"

#define ENCODE_OPTIONS \
	(PHP_JSON_UNESCAPED_SLASHES | PHP_JSON_UNESCAPED_UNICODE | PHP_JSON_PRESERVE_ZERO_FRACTION)

/* The parser counts the content of the innermost array as a level. */
#define DECODE_DEPTH (MCP_SERIALIZED_DEPTH_MAX + 1)

static bool is_here(void) {
	return true;
}

static const char *mistake_of(php_json_error_code error) {
	switch (error) {
		case PHP_JSON_ERROR_UTF8:
			return "Serializer::Json requires UTF-8 strings";
		case PHP_JSON_ERROR_INF_OR_NAN:
			return "Serializer::Json does not support INF and NAN";
		case PHP_JSON_ERROR_RECURSION:
			return "Serializer::Json does not support arrays that contain themselves";
		case PHP_JSON_ERROR_DEPTH:
			return MCP_STORABLE_TOO_DEEP;
		default:
			return "the value cannot be encoded as JSON";
	}
}

static php_json_error_code encode(smart_str *text, zval *value) {
	/* The user's json_last_error() must not change. */
	mcp_compat_json_error users = MCP_COMPAT_JSON_ERROR;
	/* The function returns SUCCESS for INF, too, and writes 0. */
	php_json_encode_ex(text, value, ENCODE_OPTIONS, MCP_SERIALIZED_DEPTH_MAX);
	php_json_error_code error = MCP_COMPAT_JSON_ERROR_CODE;
	MCP_COMPAT_JSON_ERROR = users;
	return error;
}

static zend_string *serialize(zval *value, const char **mistake) {
	if (php_mcp_plain_look(value).has_objects) {
		*mistake = "Serializer::Json does not support objects";
		return NULL;
	}
	smart_str text = {0};
	php_json_error_code error = encode(&text, value);
	if (error != PHP_JSON_ERROR_NONE) {
		smart_str_free(&text);
		*mistake = mistake_of(error);
		return NULL;
	}
	return smart_str_extract(&text);
}

static bool unserialize(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	(void)allowed_classes;
	mcp_compat_json_error users = MCP_COMPAT_JSON_ERROR;
	bool is_read = php_json_decode_ex(value, bytes.data, bytes.length, PHP_JSON_OBJECT_AS_ARRAY,
					   DECODE_DEPTH) == SUCCESS;
	MCP_COMPAT_JSON_ERROR = users;
	return is_read;
}

const mcp_serializer_codec php_mcp_serializer_json = {
	.name = "json",
	.type = MCP_VALUE_JSON,
	.is_here = is_here,
	.limits_classes = true,
	.serialize = serialize,
	.scan = mcp_serialized_scan_json,
	.deep_from = SIZE_MAX, /* its parser limits the depth */
	.memory_max = mcp_serialized_memory_max_json,
	.unserialize = unserialize,
};
