/* Undoes what pecl-memcache and php-memcached do to an array before they send it, by the limits of every value, and takes
 * the value out of the published wrapper's array. The item's flags say how to read it and nothing else does: a text
 * that only looks like an array is some user's text. */
/* SPDX-License-Identifier: MIT */
#include "legacy.h"

#include "../../core/envelope/foreign.h"
#include "../../core/serialized/serialized.h"
#include "../engine/memory_left.h"
#include "../value/value.h"

static const char *const MEMBERS[] = {"_dc_cache", "_dc_life_end", "_dc_cache_time"};

/* The share of the memory left that a value may take: what is on the way at the same time fits too. */
#define VALUE_SHARE 2

/* --- from bytes to an array --- */

/* Refuses objects, which are of no class that this reader knows to be harmless, and igbinary cannot be told to
 * make none: a text with one in it is not read at all. */
static bool is_harmless(const mcp_serializer_codec *codec, mcp_bytes text) {
	mcp_serialized_facts facts;
	return codec->scan(text, &facts) && !facts.has_objects &&
		facts.depth <= MCP_SERIALIZED_DEPTH_MAX &&
		facts.memory <= php_mcp_memory_left() / VALUE_SHARE;
}

static bool decode_text(zval *value, mcp_bytes bytes, const mcp_serializer_codec *codec) {
	if (!codec->is_here() || !is_harmless(codec, bytes)) {
		return false;
	}
	HashTable no_classes;
	zend_hash_init(&no_classes, 0, NULL, NULL, false);
	bool is_read = php_mcp_value_unserialize(value, codec, bytes, &no_classes);
	zend_hash_destroy(&no_classes);
	return is_read;
}

static bool decode_compressed(zval *value, mcp_bytes payload, uint32_t compression,
	const mcp_serializer_codec *codec) {
	zend_string *text = php_mcp_compressors_unpack(payload, compression);
	if (text == NULL) {
		return false;
	}
	bool is_decoded = decode_text(value, mcp_bytes_of(ZSTR_VAL(text), ZSTR_LEN(text)), codec);
	zend_string_release(text);
	return is_decoded;
}

/* Allows every way in which the two extensions write an array for the published code, and nothing else. */
static const mcp_serializer_codec *codec_of(uint32_t type) {
	switch (type) {
		case MCP_VALUE_SERIALIZED:
			return &php_mcp_serializer_php;
		case MCP_VALUE_IGBINARY:
			return &php_mcp_serializer_igbinary;
		default:
			return NULL;
	}
}

static bool decode_item(zval *value, mcp_bytes item, uint32_t flags) {
	mcp_foreign_value found;
	/* The published code sets no flags of its own. */
	if (flags > UINT16_MAX || !mcp_foreign_read(item, flags, &found)) {
		return false;
	}
	const mcp_serializer_codec *codec = codec_of(found.flags & MCP_VALUE_TYPE_MASK);
	uint32_t compression = found.flags & ~MCP_VALUE_TYPE_MASK;
	if (codec == NULL) {
		return false;
	}
	return compression == 0 ? decode_text(value, found.payload, codec)
							: decode_compressed(value, found.payload, compression, codec);
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

bool php_mcp_legacy_decode(zval *value, mcp_bytes item, uint32_t flags, uint64_t now_ms) {
	zval wrapper;
	ZVAL_UNDEF(&wrapper);
	/* A copy: an error handler that is told of a warning may use the cache. */
	zend_string *copy = zend_string_init(item.data, item.length, false);
	mcp_bytes bytes = mcp_bytes_of(ZSTR_VAL(copy), ZSTR_LEN(copy));
	bool is_found = decode_item(&wrapper, bytes, flags) && take_value(value, &wrapper, now_ms);
	zend_string_release(copy);
	zval_ptr_dtor(&wrapper);
	return is_found;
}
