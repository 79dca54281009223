/* Selects compressors, writes the length in front of the block, and limits the decompressed size before any
 * allocation. */
/* SPDX-License-Identifier: MIT */
#include "compressors.h"

#include "../engine/memory_left.h"
#include "php_mcpatterns.h"
#include "zend_smart_str.h"

/* php-memcached writes the original length in front of the block. */
#define LENGTH_BYTES 4
/* Compression must save at least 1/8 of the size. */
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
	return (size_t)MIN(MCP_G(decompress_limit), (zend_long)UINT32_MAX);
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

/* Returns the maximum size of the compressed payload; 0 if the value is too short to compress. */
static size_t room_for(size_t length) {
	size_t room = length - length / SAVED_PART;
	return room > LENGTH_BYTES ? room : 0;
}

/* Returns the compressed length; 0 if less than 1/8 would be saved. */
static size_t pack_to(char *to, size_t room, const mcp_compressor *compressor, mcp_bytes plain) {
	size_t length = compressor->deflate(to + LENGTH_BYTES, room - LENGTH_BYTES, plain);
	if (length == 0) {
		return 0;
	}
	write_length(to, plain.length);
	return LENGTH_BYTES + length;
}

zend_string *php_mcp_compressors_pack(const mcp_compressor *compressor, mcp_bytes plain) {
	size_t room = room_for(plain.length);
	if (room == 0) {
		return NULL;
	}
	zend_string *packed = zend_string_alloc(room, false);
	size_t length = pack_to(ZSTR_VAL(packed), room, compressor, plain);
	if (length == 0) {
		zend_string_efree(packed);
		return NULL;
	}
	packed = zend_string_truncate(packed, length, false);
	ZSTR_VAL(packed)[length] = '\0';
	return packed;
}

bool php_mcp_compressors_pack_into(mcp_buffer *packed, const mcp_compressor *compressor,
	mcp_bytes plain) {
	size_t room = room_for(plain.length);
	mcp_buffer_clear(packed);
	if (room > 0 && mcp_buffer_reserve(packed, room)) {
		packed->length = pack_to(packed->data, room, compressor, plain);
	}
	return packed->length > 0;
}

static const mcp_compressor *find_by_flags(uint32_t flags) {
	for (size_t i = 0; i < COMPRESSOR_COUNT; i++) {
		if (compressors[i]->flags == flags) {
			return compressors[i];
		}
	}
	return NULL;
}

typedef struct sealed {
	const mcp_compressor *compressor;
	mcp_bytes block;
	size_t length; /* before compression */
} sealed;

static size_t inflated_max_now(void) {
	return MIN(php_mcp_compressors_inflated_max(), php_mcp_memory_left() / 2);
}

static mcp_unpacked look_at_bare(sealed *found) {
	const mcp_compressor *compressor = found->compressor;
	found->length =
		compressor->measure != NULL ? compressor->measure(found->block, inflated_max_now()) : 0;
	return found->length > 0 ? MCP_UNPACKED : MCP_UNPACKED_DAMAGED;
}

static mcp_unpacked look_at_length(sealed *found) {
	if (found->block.length <= LENGTH_BYTES) {
		return MCP_UNPACKED_DAMAGED;
	}
	found->length = read_length(found->block);
	found->block =
		mcp_bytes_of(found->block.data + LENGTH_BYTES, found->block.length - LENGTH_BYTES);
	if (!found->compressor->may_become(found->block, found->length)) {
		return MCP_UNPACKED_DAMAGED;
	}
	return found->length <= inflated_max_now() ? MCP_UNPACKED : MCP_UNPACKED_NOT_HERE;
}

/* MCP_UNPACKED if the block may be decompressed. */
static mcp_unpacked look(sealed *found, mcp_bytes packed, uint32_t flags) {
	*found = (sealed){.compressor = find_by_flags(flags & ~MCP_VALUE_BARE), .block = packed};
	if (found->compressor == NULL || found->compressor->inflate == NULL) {
		return MCP_UNPACKED_NOT_HERE;
	}
	return (flags & MCP_VALUE_BARE) != 0 ? look_at_bare(found) : look_at_length(found);
}

static bool inflate(char *to, const sealed *found) {
	return found->compressor->inflate(to, found->length, found->block);
}

zend_string *php_mcp_compressors_unpack(mcp_bytes packed, uint32_t flags) {
	sealed found;
	if (look(&found, packed, flags) != MCP_UNPACKED) {
		return NULL;
	}
	zend_string *plain = zend_string_alloc(found.length, false);
	if (!inflate(ZSTR_VAL(plain), &found)) {
		zend_string_efree(plain);
		return NULL;
	}
	ZSTR_VAL(plain)[found.length] = '\0';
	return plain;
}

mcp_unpacked php_mcp_compressors_unpack_into(mcp_buffer *plain, mcp_bytes packed, uint32_t flags) {
	sealed found;
	mcp_unpacked can_be = look(&found, packed, flags);
	if (can_be != MCP_UNPACKED) {
		return can_be;
	}
	mcp_buffer_clear(plain);
	if (!mcp_buffer_reserve(plain, found.length)) {
		return MCP_UNPACKED_NOT_HERE;
	}
	plain->length = found.length;
	return inflate(plain->data, &found) ? MCP_UNPACKED : MCP_UNPACKED_DAMAGED;
}
