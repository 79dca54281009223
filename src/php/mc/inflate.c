/* Undoes zlib through PHP's own extension, when it is loaded, and FastLZ through core. */
/* SPDX-License-Identifier: MIT */
#include "inflate.h"

#include "../../core/fastlz.h"
#include "../../core/value_flags.h"
#include "../silence.h"

/* What a stored length may claim: it was written by somebody else and is not believed beyond this. */
#define INFLATED_MAX (64u * 1024 * 1024)
/* php-memcached puts the original length before the block. */
#define LENGTH_BYTES 4

/* zlib's first byte: deflate with a window of 32 KiB, which is what both extensions write. */
static bool is_zlib(mcp_bytes text) {
	return text.length > 2 && text.data[0] == 0x78;
}

static zend_string *inflate_zlib(mcp_bytes text) {
	zend_function *function = zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("gzuncompress"));
	if (function == NULL) {
		return NULL;
	}
	zval arguments[2];
	zval inflated;
	ZVAL_STRINGL(&arguments[0], text.data, text.length);
	ZVAL_LONG(&arguments[1], INFLATED_MAX);
	int level = mcp_silence_begin();
	zend_call_known_function(function, NULL, NULL, &inflated, 2, arguments, NULL);
	mcp_silence_end(level);
	zval_ptr_dtor(&arguments[0]);
	if (Z_TYPE(inflated) != IS_STRING) {
		zval_ptr_dtor(&inflated);
		return NULL;
	}
	return Z_STR(inflated);
}

static zend_string *expand_fastlz(mcp_bytes block, uint32_t length) {
	if (length > INFLATED_MAX) {
		return NULL;
	}
	zend_string *text = zend_string_alloc(length, false);
	if (!mcp_fastlz_expand(block, ZSTR_VAL(text), length)) {
		zend_string_efree(text);
		return NULL;
	}
	ZSTR_VAL(text)[length] = '\0';
	return text;
}

static uint32_t read_length(mcp_bytes item) {
	const unsigned char *bytes = (const unsigned char *)item.data;
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		(uint32_t)bytes[3] << 24;
}

zend_string *mcp_inflate(mcp_bytes item, uint32_t flags) {
	if (item.length <= LENGTH_BYTES) {
		return NULL;
	}
	if (is_zlib(item)) {
		zend_string *inflated = inflate_zlib(item);
		if (inflated != NULL) {
			return inflated;
		}
	}
	mcp_bytes block = mcp_bytes_of(item.data + LENGTH_BYTES, item.length - LENGTH_BYTES);
	if ((flags & MCP_VALUE_FASTLZ) != 0) {
		return expand_fastlz(block, read_length(item));
	}
	return is_zlib(block) ? inflate_zlib(block) : NULL;
}
