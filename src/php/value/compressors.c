/* Finds compressors by their case and by an item's flags, and puts the length before the block. Decides what a
 * payload may become at most, before anything is allocated for it. */
/* SPDX-License-Identifier: MIT */
#include "compressors.h"

#include "../engine/memory_left.h"
#include "php_mcpatterns.h"
#include "zend_smart_str.h"

/* php-memcached puts the original length before the block. */
#define LENGTH_BYTES 4
/* A value that is compressed saves at least one part of so many. */
#define SAVED_PART 8

static const mcp_compressor *const compressors[] = {
	&php_mcp_compressor_zlib,
	&php_mcp_compressor_zstd,
	&php_mcp_compressor_fastlz,
};

#define COMPRESSOR_COUNT (sizeof(compressors) / sizeof(compressors[0]))

const mcp_compressor *php_mcp_compressors_get(mcp_compression which) {
	switch (which) {
		case MCP_COMPRESSION_ZLIB:
			return &php_mcp_compressor_zlib;
		case MCP_COMPRESSION_ZSTD:
			return &php_mcp_compressor_zstd;
		default:
			return NULL;
	}
}

const mcp_compressor *php_mcp_compressors_named(const char *name) {
	for (int which = MCP_COMPRESSION_ZLIB; which <= MCP_COMPRESSION_ZSTD; which++) {
		const mcp_compressor *compressor = php_mcp_compressors_get((mcp_compression)which);
		if (strcasecmp(compressor->name, name) == 0) {
			return compressor;
		}
	}
	return NULL;
}

bool php_mcp_compressors_is_built_in(const mcp_compressor *compressor) {
	return compressor->deflate != NULL;
}

const mcp_compressor *php_mcp_compressors_best(void) {
	if (php_mcp_compressors_is_built_in(&php_mcp_compressor_zstd)) {
		return &php_mcp_compressor_zstd;
	}
	return php_mcp_compressors_is_built_in(&php_mcp_compressor_zlib) ? &php_mcp_compressor_zlib
																	 : NULL;
}

zend_string *php_mcp_compressors_describe(void) {
	smart_str text = {0};
	for (size_t i = 0; i < COMPRESSOR_COUNT; i++) {
		if (php_mcp_compressors_is_built_in(compressors[i])) {
			smart_str_append_printf(&text, "%s%s %s", text.s != NULL ? ", " : "",
				compressors[i]->name, compressors[i]->version);
		}
	}
	if (text.s == NULL) {
		smart_str_appends(&text, "none");
	}
	return smart_str_extract(&text);
}

void php_mcp_compressors_free(mcp_compressor_contexts *contexts) {
	php_mcp_compressor_zlib_free(contexts);
	php_mcp_compressor_zstd_free(contexts);
}

size_t php_mcp_compressors_inflated_max(void) {
	return (size_t)MIN(MCP_G(inflated_limit), (zend_long)UINT32_MAX);
}

/* --- the length before the block --- */

static void write_length(char *to, size_t length) {
	for (int i = 0; i < LENGTH_BYTES; i++) {
		to[i] = (char)(length >> (8 * i));
	}
}

static size_t read_length(mcp_bytes packed) {
	size_t length = 0;
	for (int i = 0; i < LENGTH_BYTES; i++) {
		length |= (size_t)(unsigned char)packed.data[i] << (8 * i);
	}
	return length;
}

zend_string *php_mcp_compressors_pack(const mcp_compressor *compressor, mcp_bytes plain) {
	size_t room = plain.length - plain.length / SAVED_PART;
	if (room <= LENGTH_BYTES) {
		return NULL;
	}
	zend_string *packed = zend_string_alloc(room, false);
	char *block = ZSTR_VAL(packed) + LENGTH_BYTES;
	size_t length = compressor->deflate(block, room - LENGTH_BYTES, plain);
	if (length == 0) {
		zend_string_efree(packed);
		return NULL;
	}
	write_length(ZSTR_VAL(packed), plain.length);
	packed = zend_string_truncate(packed, LENGTH_BYTES + length, false);
	ZSTR_VAL(packed)[ZSTR_LEN(packed)] = '\0';
	return packed;
}

static const mcp_compressor *find_by_flags(uint32_t flags) {
	for (size_t i = 0; i < COMPRESSOR_COUNT; i++) {
		if (compressors[i]->flags == flags) {
			return compressors[i];
		}
	}
	return NULL;
}

static zend_string *inflate(const mcp_compressor *compressor, mcp_bytes block, size_t length) {
	zend_string *plain = zend_string_alloc(length, false);
	if (!compressor->inflate(ZSTR_VAL(plain), length, block)) {
		zend_string_efree(plain);
		return NULL;
	}
	ZSTR_VAL(plain)[length] = '\0';
	return plain;
}

static zend_string *unpack_bare(const mcp_compressor *compressor, mcp_bytes block, size_t max) {
	size_t length = compressor->measure != NULL ? compressor->measure(block, max) : 0;
	return length > 0 ? inflate(compressor, block, length) : NULL;
}

static zend_string *unpack_with_length(const mcp_compressor *compressor, mcp_bytes packed,
	size_t max) {
	if (packed.length <= LENGTH_BYTES) {
		return NULL;
	}
	size_t length = read_length(packed);
	mcp_bytes block = mcp_bytes_of(packed.data + LENGTH_BYTES, packed.length - LENGTH_BYTES);
	bool may_be_inflated = length <= max && compressor->may_become(block, length);
	return may_be_inflated ? inflate(compressor, block, length) : NULL;
}

zend_string *php_mcp_compressors_unpack(mcp_bytes packed, uint32_t flags) {
	const mcp_compressor *compressor = find_by_flags(flags & ~MCP_VALUE_BARE);
	if (compressor == NULL || compressor->inflate == NULL) {
		return NULL;
	}
	size_t max = MIN(php_mcp_compressors_inflated_max(), php_mcp_memory_left() / 2);
	return (flags & MCP_VALUE_BARE) != 0 ? unpack_bare(compressor, packed, max)
										 : unpack_with_length(compressor, packed, max);
}
