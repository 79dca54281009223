/* Undoes what pecl-memcache and php-memcached do to an array before they send it, and takes the value
 * out of the published wrapper's array. The item's flags say how to read it and nothing else does: a text
 * that only looks like an array is some user's text. */
/* SPDX-License-Identifier: MIT */
#include "legacy.h"

#include "../../core/serialized.h"
#include "../../core/value_flags.h"
#include "inflate.h"
#include "../memory_left.h"
#include "../value/value.h"

static const char *const MEMBERS[] = {"_dc_cache", "_dc_life_end", "_dc_cache_time"};

/* No memcached that other clients filled has larger values; compressed, hardly any. */
#define LENGTH_MAX (64u * 1024 * 1024)
/* Of the memory that is left, so much for what an item was before compression, and so much for the value:
 * what is on the way at the same time fits too. */
#define INFLATED_SHARE 8
#define VALUE_SHARE 2

/* --- what the flags say --- */

/* pecl-memcache's flags. Those of php-memcached stand in value_flags.h. */
#define PECL_SERIALIZED 0x0001u
#define PECL_COMPRESSED 0x0002u

typedef struct item_form {
	uint32_t flags;
	mcp_compression_form compression;
	const mcp_serializer_codec *codec;
} item_form;

/* Every way in which the two extensions write an array, and nothing else. */
static const item_form FORMS[] = {
	{PECL_SERIALIZED, MCP_FORM_PLAIN, &mcp_serializer_php},
	{PECL_SERIALIZED | PECL_COMPRESSED, MCP_FORM_ZLIB, &mcp_serializer_php},
	{MCP_VALUE_SERIALIZED, MCP_FORM_PLAIN, &mcp_serializer_php},
	{MCP_VALUE_SERIALIZED | MCP_VALUE_COMPRESSED | MCP_VALUE_ZLIB, MCP_FORM_ZLIB_WITH_LENGTH,
		&mcp_serializer_php},
	{MCP_VALUE_SERIALIZED | MCP_VALUE_COMPRESSED | MCP_VALUE_FASTLZ, MCP_FORM_FASTLZ_WITH_LENGTH,
		&mcp_serializer_php},
	{MCP_VALUE_IGBINARY, MCP_FORM_PLAIN, &mcp_serializer_igbinary},
	{MCP_VALUE_IGBINARY | MCP_VALUE_COMPRESSED | MCP_VALUE_ZLIB, MCP_FORM_ZLIB_WITH_LENGTH,
		&mcp_serializer_igbinary},
	{MCP_VALUE_IGBINARY | MCP_VALUE_COMPRESSED | MCP_VALUE_FASTLZ, MCP_FORM_FASTLZ_WITH_LENGTH,
		&mcp_serializer_igbinary},
};

static const item_form *find_form(uint32_t flags) {
	for (size_t i = 0; i < sizeof(FORMS) / sizeof(FORMS[0]); i++) {
		if (FORMS[i].flags == flags) {
			return &FORMS[i];
		}
	}
	return NULL;
}

/* --- from bytes to an array --- */

/* Objects are of no class that this reader knows to be harmless, and igbinary cannot be told to make none:
 * what has one in it is not read at all. */
static bool is_harmless(const mcp_serializer_codec *codec, mcp_bytes text) {
	mcp_serialized_facts facts;
	return codec->scan(text, &facts) && !facts.has_objects &&
		facts.depth <= MCP_SERIALIZED_DEPTH_MAX && facts.memory <= mcp_memory_left() / VALUE_SHARE;
}

static bool decode_text(zval *value, const zend_string *text, const mcp_serializer_codec *codec) {
	mcp_bytes bytes = mcp_bytes_of(ZSTR_VAL(text), ZSTR_LEN(text));
	if (!codec->is_here() || !is_harmless(codec, bytes)) {
		return false;
	}
	HashTable no_classes;
	zend_hash_init(&no_classes, 0, NULL, NULL, false);
	bool is_read = mcp_value_unserialize(value, codec, bytes, &no_classes);
	zend_hash_destroy(&no_classes);
	return is_read;
}

static bool decode_item(zval *value, zend_string *item, const item_form *form) {
	size_t length_max = MIN(LENGTH_MAX, mcp_memory_left() / INFLATED_SHARE);
	zend_string *text = mcp_inflate(item, form->compression, length_max);
	if (text == NULL) {
		return false;
	}
	bool is_decoded = decode_text(value, text, form->codec);
	zend_string_release(text);
	return is_decoded;
}

/* --- the published wrapper --- */

static bool is_wrapper(zval *value) {
	if (Z_TYPE_P(value) != IS_ARRAY) {
		return false;
	}
	for (size_t i = 0; i < sizeof(MEMBERS) / sizeof(MEMBERS[0]); i++) {
		if (!zend_hash_str_exists(Z_ARRVAL_P(value), MEMBERS[i], strlen(MEMBERS[i]))) {
			return false;
		}
	}
	return true;
}

static bool is_alive(zval *wrapper, uint64_t now_ms) {
	zval *end = zend_hash_str_find(Z_ARRVAL_P(wrapper), ZEND_STRL("_dc_life_end"));
	return zval_get_double(end) * 1000.0 >= (double)now_ms;
}

static bool take_value(zval *value, zval *wrapper, uint64_t now_ms) {
	if (!is_wrapper(wrapper) || !is_alive(wrapper, now_ms)) {
		return false;
	}
	ZVAL_COPY_DEREF(value, zend_hash_str_find(Z_ARRVAL_P(wrapper), ZEND_STRL("_dc_cache")));
	return true;
}

bool mcp_legacy_decode(zval *value, mcp_bytes item, uint32_t flags, uint64_t now_ms) {
	const item_form *form = find_form(flags);
	if (form == NULL) {
		return false;
	}
	zval wrapper;
	ZVAL_UNDEF(&wrapper);
	/* A copy: an error handler that is told of a warning may use the cache. */
	zend_string *copy = zend_string_init(item.data, item.length, false);
	bool is_found = decode_item(&wrapper, copy, form) && take_value(value, &wrapper, now_ms);
	zend_string_release(copy);
	zval_ptr_dtor(&wrapper);
	return is_found;
}
