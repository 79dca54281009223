/* Undoes what pecl-memcache and php-memcached do to an array before they send it, and takes the value
 * out of the published wrapper's array. The payload is believed before its flags. */
/* SPDX-License-Identifier: MIT */
#include "legacy.h"

#include "../../core/value_flags.h"
#include "inflate.h"
#include "../silence.h"
#include "../value.h"

static const char *const MEMBERS[] = {"_dc_cache", "_dc_life_end", "_dc_cache_time"};

static bool is_serialized_array(mcp_bytes text) {
	return text.length > 2 && text.data[0] == 'a' && text.data[1] == ':';
}

/* igbinary's header: its format's version, 1 or 2, in 32 bits, most significant byte first. */
static bool is_igbinary(mcp_bytes text) {
	return text.length > 4 && memcmp(text.data, "\0\0\0", 3) == 0 &&
		(text.data[3] == 1 || text.data[3] == 2);
}

static bool decode_igbinary(zval *value, mcp_bytes text) {
	zend_function *function =
		zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("igbinary_unserialize"));
	if (function == NULL) {
		return false;
	}
	zval argument;
	ZVAL_STRINGL(&argument, text.data, text.length);
	int level = mcp_silence_begin();
	zend_call_known_function(function, NULL, NULL, value, 1, &argument, NULL);
	mcp_silence_end(level);
	zval_ptr_dtor(&argument);
	return EG(exception) == NULL;
}

static bool decode_array(zval *value, mcp_bytes text) {
	if (is_serialized_array(text)) {
		return mcp_value_decode(value, text, MCP_VALUE_SERIALIZED);
	}
	return is_igbinary(text) && decode_igbinary(value, text);
}

/* The array as it was before compression, or as it is. */
static bool decode_item(zval *value, mcp_bytes item, uint32_t flags) {
	if (is_serialized_array(item) || is_igbinary(item)) {
		return decode_array(value, item);
	}
	zend_string *inflated = mcp_inflate(item, flags);
	if (inflated == NULL) {
		return false;
	}
	mcp_bytes text = mcp_bytes_of(ZSTR_VAL(inflated), ZSTR_LEN(inflated));
	bool is_decoded = decode_array(value, text);
	zend_string_release(inflated);
	return is_decoded;
}

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

bool mcp_legacy_decode(zval *value, mcp_bytes item, uint32_t flags, uint64_t now_ms) {
	zval wrapper;
	ZVAL_UNDEF(&wrapper);
	if (!decode_item(&wrapper, item, flags)) {
		zval_ptr_dtor(&wrapper);
		return false;
	}
	bool is_found = is_wrapper(&wrapper) && is_alive(&wrapper, now_ms);
	if (is_found) {
		ZVAL_COPY_DEREF(value, zend_hash_str_find(Z_ARRVAL(wrapper), ZEND_STRL("_dc_cache")));
	}
	zval_ptr_dtor(&wrapper);
	return is_found;
}
