/* serialize() and unserialize(), with tables of this extension's own, also inside one that is under way. */
/* SPDX-License-Identifier: MIT */
#include "serializers.h"

#include "../compat.h"
#include "../storable.h"
#include "ext/standard/php_var.h"
#include "zend_smart_str.h"

static bool is_here(void) {
	return true;
}

static zend_string *serialize_text(zval *value) {
	smart_str text = {0};
	php_serialize_data_t seen;
	BG(serialize_lock)++;
	PHP_VAR_SERIALIZE_INIT(seen);
	php_var_serialize(&text, value, &seen);
	PHP_VAR_SERIALIZE_DESTROY(seen);
	BG(serialize_lock)--;
	if (EG(exception) != NULL) {
		smart_str_free(&text);
		return NULL;
	}
	return smart_str_extract(&text);
}

/* Objects' depth is known only now. */
static bool is_too_deep(const zend_string *text) {
	mcp_serialized_facts facts;
	return ZSTR_LEN(text) >= MCP_SERIALIZED_DEEP_FROM &&
		mcp_serialized_scan(mcp_bytes_of(ZSTR_VAL(text), ZSTR_LEN(text)), &facts) &&
		facts.depth > MCP_SERIALIZED_DEPTH_MAX;
}

static zend_string *serialize(zval *value, const char **mistake) {
	zend_string *text = serialize_text(value);
	if (text != NULL && is_too_deep(text)) {
		zend_string_release(text);
		*mistake = MCP_STORABLE_TOO_DEEP;
		return NULL;
	}
	return text;
}

static bool unserialize(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	const unsigned char *cursor = (const unsigned char *)bytes.data;
	const unsigned char *end = cursor + bytes.length;
	php_unserialize_data_t seen;
	BG(serialize_lock)++;
	PHP_VAR_UNSERIALIZE_INIT(seen);
	php_var_unserialize_set_allowed_classes(seen, allowed_classes);
	php_var_unserialize_set_max_depth(seen, MCP_SERIALIZED_DEPTH_MAX);
	bool is_read = php_var_unserialize(value, &cursor, end, &seen) && cursor == end;
	PHP_VAR_UNSERIALIZE_DESTROY(seen); /* runs __wakeup and __unserialize */
	BG(serialize_lock)--;
	return is_read;
}

const mcp_serializer_codec mcp_serializer_php = {
	.name = "php",
	.type = MCP_VALUE_SERIALIZED,
	.is_here = is_here,
	.limits_classes = true,
	.serialize = serialize,
	.scan = mcp_serialized_scan,
	.deep_from = SIZE_MAX, /* it has the limit itself */
	.memory_max = mcp_serialized_memory_max,
	.unserialize = unserialize,
};
