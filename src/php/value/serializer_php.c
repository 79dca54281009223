/* serialize() and unserialize(), with separate tables if called within a user's serialize() or unserialize(). */
/* SPDX-License-Identifier: MIT */
#include "serializers.h"

#include "../engine/compat.h"
#include "../engine/storable.h"
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

static bool may_be_too_deep(const char *text, size_t length) {
	return length >= MCP_SERIALIZED_DEEP_FROM ||
		(length >= MCP_SERIALIZED_DEEP_CUSTOMS_FROM &&
			zend_memnstr(text, "C:", 2, text + length) != NULL);
}

/* The depth of objects is known only after writing. */
static bool is_too_deep(const zend_string *text) {
	mcp_serialized_facts facts;
	return may_be_too_deep(ZSTR_VAL(text), ZSTR_LEN(text)) &&
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

/* --- what unserialize() does not limit to the allowed classes ---
 * It loads any enum that the bytes name and reads its case. An object of the obsolete form C reads its content with the
 * tables of the call. The lock hides these tables, so the content could contain any class. */

/* Returns the name after "E:" or "C:", where `at` points behind it; NULL if digits and a quotation mark do not
 * follow. */
static const char *find_name(const char *at, const char *end) {
	while (at < end && *at >= '0' && *at <= '9') {
		at++;
	}
	return end - at < 2 || at[0] != ':' || at[1] != '"' ? NULL : at + 2;
}

/* False if the name has no end, too. */
static bool is_other_enum(const char *at, const char *end, HashTable *allowed_classes) {
	at += at < end && *at == '\\'; /* like the engine's class lookup */
	const char *colon = memchr(at, ':', (size_t)(end - at));
	if (colon == NULL) {
		return false;
	}
	zend_string *name = zend_string_init(at, (size_t)(colon - at), false);
	zend_string *lower = zend_string_tolower(name);
	bool is_allowed = zend_hash_exists(allowed_classes, lower);
	zend_string_release(lower);
	zend_string_release(name);
	return !is_allowed;
}

/* If no class is allowed, the engine makes incomplete objects of the obsolete form C. */
static bool is_unlimited(char form, const char *name, const char *end, HashTable *allowed_classes) {
	return form == 'C' ? zend_hash_num_elements(allowed_classes) > 0
					   : is_other_enum(name, end, allowed_classes);
}

/* Finds an item at the start of the text or after its key. Bytes within a string that look like an item count, too. */
static bool has_unlimited(mcp_bytes text, char form, HashTable *allowed_classes) {
	const char *end = text.data + text.length;
	const char *at = text.data;
	while ((at = memchr(at, form, (size_t)(end - at))) != NULL) {
		bool is_item = (at == text.data || at[-1] == ';') && end - at > 2 && at[1] == ':';
		const char *name = is_item ? find_name(at + 2, end) : NULL;
		if (name != NULL && is_unlimited(form, name, end, allowed_classes)) {
			return true;
		}
		at++;
	}
	return false;
}

static bool is_limited(mcp_bytes text, HashTable *allowed_classes) {
	return allowed_classes == NULL ||
		(!has_unlimited(text, 'E', allowed_classes) && !has_unlimited(text, 'C', allowed_classes));
}

static bool unserialize(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	if (!is_limited(bytes, allowed_classes)) {
		return false;
	}
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

const mcp_serializer_codec php_mcp_serializer_php = {
	.name = "php",
	.type = MCP_VALUE_SERIALIZED,
	.is_here = is_here,
	.limits_classes = true,
	.serialize = serialize,
	.scan = mcp_serialized_scan,
	.deep_from =
		MCP_SERIALIZED_DEEP_FROM, /* unserialize() has the limit, but restarts it in form C */
	.memory_max = mcp_serialized_memory_max,
	.unserialize = unserialize,
};
