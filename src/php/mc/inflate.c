/* Undoes zlib through PHP's own extension, when it is loaded, and FastLZ through core. */
/* SPDX-License-Identifier: MIT */
#include "inflate.h"

#include "../../core/fastlz.h"
#include "../silence.h"

/* php-memcached puts the original length before the block. */
#define LENGTH_BYTES 4
/* The most that deflate can become of a byte (zlib's technical details, "Maximum Compression Factor"). */
#define ZLIB_FACTOR_MAX 1032

static zend_string *inflate_zlib(mcp_bytes stream, size_t length_max) {
	zend_function *function = zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("gzuncompress"));
	if (function == NULL || length_max == 0) {
		return NULL;
	}
	zval arguments[2];
	zval inflated;
	ZVAL_STRINGL(&arguments[0], stream.data, stream.length);
	ZVAL_LONG(&arguments[1], (zend_long)length_max);
	int level = mcp_silence_begin();
	zend_call_known_function(function, NULL, NULL, &inflated, 2, arguments, NULL);
	mcp_silence_end(level);
	zval_ptr_dtor(&arguments[0]);
	if (EG(exception) == NULL && Z_TYPE(inflated) == IS_STRING) {
		return Z_STR(inflated);
	}
	zval_ptr_dtor(&inflated);
	return NULL;
}

/* A length that the stream cannot become, or does not, is not believed. */
static zend_string *inflate_zlib_to(mcp_bytes stream, size_t length) {
	if (length / ZLIB_FACTOR_MAX > stream.length) {
		return NULL;
	}
	zend_string *text = inflate_zlib(stream, length);
	if (text != NULL && ZSTR_LEN(text) != length) {
		zend_string_release(text);
		return NULL;
	}
	return text;
}

/* The block is read twice: nothing is allocated for a length that it does not become. */
static zend_string *expand_fastlz(mcp_bytes block, size_t length) {
	if (!mcp_fastlz_becomes(block, length)) {
		return NULL;
	}
	zend_string *text = zend_string_alloc(length, false);
	mcp_fastlz_expand(block, ZSTR_VAL(text), length);
	ZSTR_VAL(text)[length] = '\0';
	return text;
}

static uint32_t read_length(const zend_string *item) {
	const unsigned char *bytes = (const unsigned char *)ZSTR_VAL(item);
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		(uint32_t)bytes[3] << 24;
}

static zend_string *inflate_with_length(const zend_string *item, mcp_compression_form form,
	size_t length_max) {
	if (ZSTR_LEN(item) <= LENGTH_BYTES || read_length(item) > length_max) {
		return NULL;
	}
	mcp_bytes block = mcp_bytes_of(ZSTR_VAL(item) + LENGTH_BYTES, ZSTR_LEN(item) - LENGTH_BYTES);
	return form == MCP_FORM_FASTLZ_WITH_LENGTH ? expand_fastlz(block, read_length(item))
											   : inflate_zlib_to(block, read_length(item));
}

zend_string *mcp_inflate(zend_string *item, mcp_compression_form form, size_t length_max) {
	switch (form) {
		case MCP_FORM_PLAIN:
			return zend_string_copy(item);
		case MCP_FORM_ZLIB:
			return inflate_zlib(mcp_bytes_of(ZSTR_VAL(item), ZSTR_LEN(item)), length_max);
		default:
			return inflate_with_length(item, form, length_max);
	}
}
