/* The serializers, and their table, searched by enum case and by the type in an item's flags. */
/* SPDX-License-Identifier: MIT */
#include "serializers.h"

#include "../engine/compat.h"
#include "../engine/value_watch.h"
#include "peer_module.h"

#include "ext/standard/php_var.h"
#include "zend_smart_str.h"

static bool is_always_here(void) {
	return true;
}

/* --- PHP --- */

/* Uses serialize() and unserialize(), with separate tables for a call within a user's serialize() or unserialize(). */

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

/* The depth of objects is known only after writing. */
static bool is_too_deep(mcp_bytes text) {
	bool may_be_deep = text.length >= MCP_SERIALIZED_DEEP_FROM ||
		(text.length >= MCP_SERIALIZED_DEEP_CUSTOMS_FROM &&
			zend_memnstr(text.data, "C:", 2, text.data + text.length) != NULL);
	mcp_serialized_facts facts;
	return may_be_deep && mcp_serialized_scan(text, &facts) &&
		facts.depth > MCP_SERIALIZED_DEPTH_MAX;
}

static zend_string *serialize_php(zval *value, const char **mistake) {
	zend_string *text = serialize_text(value);
	if (text != NULL && is_too_deep(mcp_bytes_of(ZSTR_VAL(text), ZSTR_LEN(text)))) {
		zend_string_release(text);
		*mistake = MCP_STORABLE_TOO_DEEP;
		return NULL;
	}
	return text;
}

/* unserialize() does not limit all classes to the allowed classes: it loads any enum that the bytes name, and reads a
 * case of this enum. An object of the obsolete form C reads its content with the tables of the call. The lock hides
 * these tables, so the content could contain any class. */

/* `at` points to the byte after "E:" or "C:". Returns the name, which must follow there after digits, a colon and a
 * quotation mark, or NULL. */
static const char *find_name(const char *at, const char *end) {
	while (at < end && *at >= '0' && *at <= '9') {
		at++;
	}
	return end - at < 2 || at[0] != ':' || at[1] != '"' ? NULL : at + 2;
}

/* True if the name is no allowed class. False if the name has no end. */
static bool is_other_enum(const char *at, const char *end, HashTable *allowed_classes) {
	at += at < end && *at == '\\'; /* like the engine's class lookup */
	const char *colon = memchr(at, ':', (size_t)(end - at));
	if (colon == NULL) {
		return false;
	}
	zend_string *lower = zend_string_init(at, (size_t)(colon - at), false);
	zend_str_tolower(ZSTR_VAL(lower), ZSTR_LEN(lower));
	bool is_allowed = zend_hash_exists(allowed_classes, lower);
	zend_string_release(lower);
	return !is_allowed;
}

/* True if the start of the text, or a place after a key, has an item that unserialize() does not limit. Bytes within a
 * string that look like such an item count, too. */
static bool has_unlimited(mcp_bytes text, char form, HashTable *allowed_classes) {
	const char *end = text.data + text.length;
	const char *at = text.data;
	while ((at = memchr(at, form, (size_t)(end - at))) != NULL) {
		bool is_item = (at == text.data || at[-1] == ';') && end - at > 2 && at[1] == ':';
		const char *name = is_item ? find_name(at + 2, end) : NULL;
		/* If no class is allowed, the engine makes incomplete objects of the obsolete form C. */
		bool is_unlimited = form == 'C' ? zend_hash_num_elements(allowed_classes) > 0
										: name != NULL && is_other_enum(name, end, allowed_classes);
		if (name != NULL && is_unlimited) {
			return true;
		}
		at++;
	}
	return false;
}

static bool unserialize_php(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	if (allowed_classes != NULL &&
		(has_unlimited(bytes, 'E', allowed_classes) ||
			has_unlimited(bytes, 'C', allowed_classes))) {
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

/* --- igbinary --- */

/* Used if the igbinary extension is loaded. igbinary recurses without a limit and frees parts of a damaged block twice,
 * so a block must pass mcp_serialized_scan_igbinary() first. */

/* Set at start-up. Signatures from igbinary.h; 0 is success. */
static int (*igbinary_serialize)(uint8_t **block, size_t *length, zval *value);
static int (*igbinary_unserialize)(const uint8_t *block, size_t length, zval *value);

static bool has_igbinary(void) {
	return igbinary_serialize != NULL && igbinary_unserialize != NULL;
}

/* Leave enums to PHP's serializer: after igbinary 3.2 has read a case of an internal enum, PHP later ends with a fatal
 * error. The depth of objects is known only after writing. */
static bool may_be_written(mcp_bytes block, const char **mistake) {
	bool may_be_deep = block.length >= MCP_SERIALIZED_DEEP_FROM_IGBINARY;
	if (!may_be_deep && memchr(block.data, MCP_SERIALIZED_ENUM_IGBINARY, block.length) == NULL) {
		return true;
	}
	mcp_serialized_facts facts;
	if (!mcp_serialized_scan_igbinary(block, &facts)) {
		*mistake = MCP_STORABLE_TOO_DEEP;
		return false;
	}
	return !facts.has_enums;
}

static zend_string *serialize_igbinary(zval *value, const char **mistake) {
	uint8_t *block = NULL;
	size_t length = 0;
	bool is_written = igbinary_serialize(&block, &length, value) == 0 && EG(exception) == NULL;
	zend_string *bytes = NULL;
	if (is_written && may_be_written(mcp_bytes_of((const char *)block, length), mistake)) {
		bytes = zend_string_init((const char *)block, length, false);
	}
	if (block != NULL) {
		efree(block);
	}
	return bytes;
}

static bool unserialize_igbinary(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	(void)allowed_classes;
	ZVAL_NULL(value);
	return igbinary_unserialize((const uint8_t *)bytes.data, bytes.length, value) == 0;
}

/* --- arrays for serializers that support neither objects nor references --- */

typedef struct looking {
	HashTable seen; /* arrays that are shared */
	bool has_objects;
	bool has_references; /* two places that change together */
} looking;

/* Detect arrays that were visited before, because a referenced array can contain itself. */
static bool is_seen(looking *look, HashTable *array, bool is_referred) {
	return (is_referred || GC_REFCOUNT(array) > 1) &&
		zend_hash_index_add_empty_element(&look->seen, (zend_ulong)(uintptr_t)array) == NULL;
}

static void inspect(looking *look, zval *value) {
	bool is_referred = Z_ISREF_P(value) && Z_REFCOUNT_P(value) > 1;
	ZVAL_DEREF(value);
	look->has_references |= is_referred;
	look->has_objects |= Z_TYPE_P(value) == IS_OBJECT;
	if (Z_TYPE_P(value) != IS_ARRAY || is_seen(look, Z_ARRVAL_P(value), is_referred)) {
		return;
	}
	zval *element;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), element) {
		inspect(look, element);
	}
	ZEND_HASH_FOREACH_END();
}

/* Visits each array once, even if it is shared. The value must have passed php_mcp_value_watch_copy_storable(), which
 * limits its depth. */
static looking look_into(zval *value) {
	looking look = {0};
	zend_hash_init(&look.seen, 8, NULL, NULL, false);
	inspect(&look, value);
	zend_hash_destroy(&look.seen);
	return look;
}

/* --- JSON --- */

/* Writes arrays, UTF-8 strings, numbers, booleans and null, which other languages can read. */

#define ENCODE_OPTIONS \
	(PHP_JSON_UNESCAPED_SLASHES | PHP_JSON_UNESCAPED_UNICODE | PHP_JSON_PRESERVE_ZERO_FRACTION)

/* The parser counts the content of the innermost array as a level. */
#define DECODE_DEPTH (MCP_SERIALIZED_DEPTH_MAX + 1)

/* The parser's stack has room for 10,000 symbols, and a level takes up to 6. Deeper values are read before they are
 * stored. */
#define SURELY_READ_DEPTH 1600

static const char *const mistakes[] = {
	[PHP_JSON_ERROR_DEPTH] = MCP_STORABLE_TOO_DEEP,
	[PHP_JSON_ERROR_SYNTAX] = "PHP's JSON parser cannot read arrays that are nested so deep",
	[PHP_JSON_ERROR_UTF8] = "Serializer::Json requires UTF-8 strings",
	[PHP_JSON_ERROR_RECURSION] = "Serializer::Json does not support arrays that contain themselves",
	[PHP_JSON_ERROR_INF_OR_NAN] = "Serializer::Json does not support INF and NAN",
};

static zend_string *serialize_json(zval *value, const char **mistake) {
	if (look_into(value).has_objects) {
		*mistake = "Serializer::Json does not support objects";
		return NULL;
	}
	smart_str text = {0};
	/* The user's json_last_error() must not change. */
	mcp_compat_json_error users = MCP_COMPAT_JSON_ERROR;
	/* The function returns SUCCESS for INF, too, and writes 0. */
	php_json_encode_ex(&text, value, ENCODE_OPTIONS, SURELY_READ_DEPTH);
	if (MCP_COMPAT_JSON_ERROR_CODE == PHP_JSON_ERROR_DEPTH) {
		smart_str_free(&text);
		php_json_encode_ex(&text, value, ENCODE_OPTIONS, MCP_SERIALIZED_DEPTH_MAX);
		if (MCP_COMPAT_JSON_ERROR_CODE == PHP_JSON_ERROR_NONE) {
			zval read;
			smart_str_0(&text);
			php_json_decode_ex(&read, ZSTR_VAL(text.s), ZSTR_LEN(text.s), PHP_JSON_OBJECT_AS_ARRAY,
				DECODE_DEPTH);
			zval_ptr_dtor(&read);
		}
	}
	php_json_error_code error = MCP_COMPAT_JSON_ERROR_CODE;
	MCP_COMPAT_JSON_ERROR = users;
	if (error != PHP_JSON_ERROR_NONE) {
		smart_str_free(&text);
		const char *known = error <= PHP_JSON_ERROR_INF_OR_NAN ? mistakes[error] : NULL;
		*mistake = known != NULL ? known : "the value cannot be encoded as JSON";
		return NULL;
	}
	return smart_str_extract(&text);
}

static bool unserialize_json(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	(void)allowed_classes;
	mcp_compat_json_error users = MCP_COMPAT_JSON_ERROR;
	bool is_read = php_json_decode_ex(value, bytes.data, bytes.length, PHP_JSON_OBJECT_AS_ARRAY,
					   DECODE_DEPTH) == SUCCESS;
	MCP_COMPAT_JSON_ERROR = users;
	return is_read;
}

/* --- msgpack --- */

/* Used if the msgpack extension is loaded, for arrays, strings, numbers, booleans and null. Versions of msgpack write
 * objects and references differently and do not read them safely, so values with objects or references use PHP's
 * serializer. */

/* Set at start-up. Signatures from php_msgpack.h. The return value of the second function differs between versions, and
 * is ignored, because the scan has validated the bytes. */
static void (*msgpack_serialize)(smart_str *block, zval *value);
static int (*msgpack_unserialize)(zval *value, char *block, size_t length);

static bool has_msgpack(void) {
	return msgpack_serialize != NULL && msgpack_unserialize != NULL;
}

static zend_string *serialize_msgpack(zval *value, const char **mistake) {
	(void)mistake;
	looking facts = look_into(value);
	if (facts.has_objects || facts.has_references) {
		return NULL;
	}
	smart_str block = {0};
	msgpack_serialize(&block, value);
	zend_string *bytes = smart_str_extract(&block);
	mcp_serialized_facts found;
	if (!mcp_serialized_scan_msgpack(mcp_bytes_of(ZSTR_VAL(bytes), ZSTR_LEN(bytes)), &found)) {
		zend_string_release(bytes);
		return NULL;
	}
	return bytes;
}

static bool unserialize_msgpack(zval *value, mcp_bytes bytes, HashTable *allowed_classes) {
	(void)allowed_classes;
	ZVAL_NULL(value);
	msgpack_unserialize(value, (char *)bytes.data, bytes.length);
	return true;
}

/* Scan every block, however short, because no block may contain an object. */
static size_t memory_max_msgpack(size_t length) {
	(void)length;
	return SIZE_MAX;
}

/* --- the table --- */

static const mcp_serializer_codec codecs[] = {
	[MCP_SERIALIZER_PHP] =
		{
			.name = "php",
			.type = MCP_VALUE_SERIALIZED,
			.is_here = is_always_here,
			.limits_classes = true,
			.serialize = serialize_php,
			.scan = mcp_serialized_scan,
			/* unserialize() limits the depth, but restarts the count in form C */
			.deep_from = MCP_SERIALIZED_DEEP_FROM,
			.memory_max = mcp_serialized_memory_max,
			.unserialize = unserialize_php,
		},
	[MCP_SERIALIZER_IGBINARY] =
		{
			.name = "igbinary",
			.type = MCP_VALUE_IGBINARY,
			.is_here = has_igbinary,
			.serialize = serialize_igbinary,
			.scan = mcp_serialized_scan_igbinary,
			.deep_from = 0, /* any block can be damaged */
			.memory_max = mcp_serialized_memory_max,
			.unserialize = unserialize_igbinary,
		},
	[MCP_SERIALIZER_JSON] =
		{
			.name = "json",
			.type = MCP_VALUE_JSON,
			.is_here = is_always_here,
			.limits_classes = true,
			.serialize = serialize_json,
			.scan = mcp_serialized_scan_json,
			.deep_from = SIZE_MAX, /* its parser limits the depth */
			.memory_max = mcp_serialized_memory_max_json,
			.unserialize = unserialize_json,
		},
	[MCP_SERIALIZER_MSGPACK] =
		{
			.name = "msgpack",
			.type = MCP_VALUE_MSGPACK,
			.is_here = has_msgpack,
			.serialize = serialize_msgpack,
			.scan = mcp_serialized_scan_msgpack,
			.deep_from = 0,
			.memory_max = memory_max_msgpack,
			.unserialize = unserialize_msgpack,
		},
};

#define CODEC_COUNT (sizeof(codecs) / sizeof(codecs[0]))

void php_mcp_serializers_register(void) {
	igbinary_serialize = php_mcp_peer_module_function("igbinary", "igbinary_serialize");
	igbinary_unserialize = php_mcp_peer_module_function("igbinary", "igbinary_unserialize");
	msgpack_serialize = php_mcp_peer_module_function("msgpack", "php_msgpack_serialize");
	msgpack_unserialize = php_mcp_peer_module_function("msgpack", "php_msgpack_unserialize");
}

const mcp_serializer_codec *php_mcp_serializers_get(mcp_serializer which) {
	return &codecs[which];
}

const mcp_serializer_codec *php_mcp_serializers_best(void) {
	return &codecs[has_igbinary() ? MCP_SERIALIZER_IGBINARY : MCP_SERIALIZER_PHP];
}

const mcp_serializer_codec *php_mcp_serializers_named(const char *name) {
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		if (strcasecmp(codecs[i].name, name) == 0) {
			return &codecs[i];
		}
	}
	return NULL;
}

const mcp_serializer_codec *php_mcp_serializers_of_type(uint32_t type) {
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		if (codecs[i].type == type) {
			return codecs[i].is_here() ? &codecs[i] : NULL;
		}
	}
	return NULL;
}

zend_string *php_mcp_serializers_describe(void) {
	smart_str text = {0};
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		if (codecs[i].is_here()) {
			smart_str_append_printf(&text, "%s%s", i > 0 ? ", " : "", codecs[i].name);
		}
	}
	return smart_str_extract(&text);
}
