/* The compressors and their table. Writes the length in front of a block, and limits the decompressed size before any
 * allocation. */
/* SPDX-License-Identifier: MIT */
#include "compressors.h"

#include "../../core/fastlz.h"
#include "../../core/bytes.h"
#include "../engine/memory_left.h"
#include "php_mcpatterns.h"
#include "zend_smart_str.h"

#ifdef HAVE_MCPATTERNS_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_MCPATTERNS_ZSTD
#include <zstd.h>
#endif

/* php-memcached writes the original length in front of the block. */
#define LENGTH_BYTES 4
/* Compression must save at least 1/8 of the size. */
#define SAVED_PART 8

/* --- zlib, if configure found it --- */

#ifdef HAVE_MCPATTERNS_ZLIB

/* Maximum expansion of a byte by deflate (zlib's technical details, "Maximum Compression Factor"). */
#define ZLIB_FACTOR_MAX 1032

/* Returns a reset writer with the configured level. NULL: out of memory. */
static z_stream *take_zlib_writer(void) {
	mcp_compressor_contexts *contexts = &MCP_G(compressor_contexts);
	int level = (int)MCP_G(zlib_level);
	z_stream *writer = contexts->zlib_writer;
	if (writer != NULL && contexts->zlib_writer_level == level && deflateReset(writer) == Z_OK) {
		return writer;
	}
	if (writer != NULL) {
		deflateEnd(writer);
		free(writer);
	}
	writer = calloc(1, sizeof(*writer));
	if (writer != NULL && deflateInit(writer, level) != Z_OK) {
		free(writer);
		writer = NULL;
	}
	contexts->zlib_writer_level = level;
	return contexts->zlib_writer = writer;
}

static void aim(z_stream *stream, char *to, size_t room, mcp_bytes from) {
	stream->next_in = (Bytef *)from.data;
	stream->avail_in = (uInt)from.length;
	stream->next_out = (Bytef *)to;
	stream->avail_out = (uInt)room;
}

static size_t zlib_deflate(char *to, size_t room, mcp_bytes from) {
	z_stream *stream = take_zlib_writer();
	if (stream == NULL) {
		return 0;
	}
	aim(stream, to, room, from);
	return deflate(stream, Z_FINISH) == Z_STREAM_END ? stream->total_out : 0;
}

static bool zlib_may_become(mcp_bytes block, size_t length) {
	return length / ZLIB_FACTOR_MAX <= block.length;
}

static z_stream *take_zlib_reader(void) {
	z_stream *kept = MCP_G(compressor_contexts).zlib_reader;
	if (kept != NULL) {
		return inflateReset(kept) == Z_OK ? kept : NULL;
	}
	kept = calloc(1, sizeof(*kept));
	if (kept != NULL && inflateInit(kept) != Z_OK) {
		free(kept);
		return NULL;
	}
	return MCP_G(compressor_contexts).zlib_reader = kept;
}

static bool zlib_inflate(char *to, size_t length, mcp_bytes block) {
	z_stream *stream = take_zlib_reader();
	if (stream == NULL || block.length > UINT_MAX) {
		return false;
	}
	aim(stream, to, length, block);
	return inflate(stream, Z_FINISH) == Z_STREAM_END && stream->total_out == length &&
		stream->avail_in == 0;
}

/* Decompress into a small buffer to determine the length. Decompressing twice is cheaper than a growing string, and a
 * decompression bomb could fill such a string. */
static size_t zlib_measure(mcp_bytes block, size_t max) {
	char room[4096];
	z_stream *stream = take_zlib_reader();
	if (stream == NULL || block.length > UINT_MAX) {
		return 0;
	}
	int status;
	aim(stream, room, sizeof(room), block);
	do {
		stream->next_out = (Bytef *)room;
		stream->avail_out = sizeof(room);
		status = inflate(stream, Z_NO_FLUSH);
	} while (status == Z_OK && stream->total_out <= max);
	bool is_whole = status == Z_STREAM_END && stream->avail_in == 0 && stream->total_out <= max;
	return is_whole ? stream->total_out : 0;
}

#endif

/* --- Zstandard, if configure found it --- */

#ifdef HAVE_MCPATTERNS_ZSTD

/* Free larger contexts: high levels use tens of megabytes for a large value. */
#define ZSTD_KEPT_MAX (4u * 1024 * 1024)

static size_t zstd_deflate(char *to, size_t room, mcp_bytes from) {
	ZSTD_CCtx *context = MCP_G(compressor_contexts).zstd_writer;
	if (context == NULL) {
		context = MCP_G(compressor_contexts).zstd_writer = ZSTD_createCCtx();
	}
	if (context == NULL) {
		return 0;
	}
	int level = (int)MCP_G(zstd_level);
	size_t length = ZSTD_compressCCtx(context, to, room, from.data, from.length, level);
	if (ZSTD_sizeof_CCtx(context) > ZSTD_KEPT_MAX) {
		ZSTD_freeCCtx(context);
		MCP_G(compressor_contexts).zstd_writer = NULL;
	}
	return ZSTD_isError(length) ? 0 : length;
}

/* ZSTD_compress() writes the length into the frame. */
static bool zstd_may_become(mcp_bytes block, size_t length) {
	return ZSTD_getFrameContentSize(block.data, block.length) == length;
}

static bool zstd_inflate(char *to, size_t length, mcp_bytes block) {
	ZSTD_DCtx *context = MCP_G(compressor_contexts).zstd_reader;
	if (context == NULL) {
		context = MCP_G(compressor_contexts).zstd_reader = ZSTD_createDCtx();
	}
	return context != NULL &&
		ZSTD_decompressDCtx(context, to, length, block.data, block.length) == length;
}

#endif

/* --- FastLZ, the default of php-memcached. Values are only read, because Debian ships no library for FastLZ. --- */

static bool fastlz_inflate(char *to, size_t length, mcp_bytes block) {
	return mcp_fastlz_expand(block, to, length);
}

/* --- the table --- */

/* Compressors with an enum case come first, in the order of the enum. A later compressor is preferred. */
static const mcp_compressor compressors[] = {
	{
		.name = "zlib",
		.flags = MCP_VALUE_COMPRESSED | MCP_VALUE_ZLIB,
		.package = "zlib1g-dev",
#ifdef HAVE_MCPATTERNS_ZLIB
		.deflate = zlib_deflate,
		.measure = zlib_measure,
		.may_become = zlib_may_become,
		.inflate = zlib_inflate,
		.version = ZLIB_VERSION,
#endif
	},
	{
		.name = "zstd",
		.flags = MCP_VALUE_COMPRESSED | MCP_VALUE_ZSTD,
		.package = "libzstd-dev",
#ifdef HAVE_MCPATTERNS_ZSTD
		.deflate = zstd_deflate,
		.may_become = zstd_may_become,
		.inflate = zstd_inflate,
		.version = ZSTD_VERSION_STRING,
#endif
	},
	{
		.name = "fastlz",
		.flags = MCP_VALUE_COMPRESSED | MCP_VALUE_FASTLZ,
		.may_become = mcp_fastlz_becomes,
		.inflate = fastlz_inflate,
	},
};

#define COMPRESSOR_COUNT (sizeof(compressors) / sizeof(compressors[0]))
#define CHOICE_COUNT ((size_t)MCP_COMPRESSION_ZSTD)

const mcp_compressor *php_mcp_compressors_get(mcp_compression which) {
	return which != MCP_COMPRESSION_NONE ? &compressors[which - MCP_COMPRESSION_ZLIB] : NULL;
}

const mcp_compressor *php_mcp_compressors_named(const char *name) {
	for (size_t i = 0; i < CHOICE_COUNT; i++) {
		if (strcasecmp(compressors[i].name, name) == 0) {
			return &compressors[i];
		}
	}
	return NULL;
}

const mcp_compressor *php_mcp_compressors_best(void) {
	for (size_t i = CHOICE_COUNT; i > 0; i--) {
		if (php_mcp_compressors_is_built_in(&compressors[i - 1])) {
			return &compressors[i - 1];
		}
	}
	return NULL;
}

zend_string *php_mcp_compressors_describe(void) {
	smart_str text = {0};
	for (size_t i = 0; i < COMPRESSOR_COUNT; i++) {
		if (php_mcp_compressors_is_built_in(&compressors[i])) {
			smart_str_append_printf(&text, "%s%s %s", text.s != NULL ? ", " : "",
				compressors[i].name, compressors[i].version);
		}
	}
	if (text.s == NULL) {
		smart_str_appends(&text, "none");
	}
	return smart_str_extract(&text);
}

void php_mcp_compressors_free(mcp_compressor_contexts *contexts) {
#ifdef HAVE_MCPATTERNS_ZLIB
	if (contexts->zlib_writer != NULL) {
		deflateEnd(contexts->zlib_writer);
		free(contexts->zlib_writer);
	}
	if (contexts->zlib_reader != NULL) {
		inflateEnd(contexts->zlib_reader);
		free(contexts->zlib_reader);
	}
#endif
#ifdef HAVE_MCPATTERNS_ZSTD
	ZSTD_freeCCtx(contexts->zstd_writer);
	ZSTD_freeDCtx(contexts->zstd_reader);
#endif
	*contexts = (mcp_compressor_contexts){0};
}

size_t php_mcp_compressors_inflated_max(void) {
	return (size_t)MIN(MCP_G(decompress_limit), (zend_long)UINT32_MAX);
}

/* Returns the maximum size of the compressed payload; 0 if the value is too short to compress. */
static size_t packed_size_max(size_t length) {
	size_t room = length - length / SAVED_PART;
	return room > LENGTH_BYTES ? room : 0;
}

/* Returns the compressed length; 0 if less than 1/8 would be saved. */
static size_t pack_to(char *to, size_t room, const mcp_compressor *compressor, mcp_bytes plain) {
	size_t length = compressor->deflate(to + LENGTH_BYTES, room - LENGTH_BYTES, plain);
	if (length == 0) {
		return 0;
	}
	mcp_store_u32((unsigned char *)to, (uint32_t)plain.length);
	return LENGTH_BYTES + length;
}

zend_string *php_mcp_compressors_pack(const mcp_compressor *compressor, mcp_bytes plain) {
	size_t room = packed_size_max(plain.length);
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
	size_t room = packed_size_max(plain.length);
	mcp_buffer_clear(packed);
	if (room > 0 && mcp_buffer_reserve(packed, room)) {
		packed->length = pack_to(packed->data, room, compressor, plain);
	}
	return packed->length > 0;
}

static const mcp_compressor *find_by_flags(uint32_t flags) {
	for (size_t i = 0; i < COMPRESSOR_COUNT; i++) {
		if (compressors[i].flags == flags) {
			return &compressors[i];
		}
	}
	return NULL;
}

typedef struct sealed {
	const mcp_compressor *compressor;
	mcp_bytes block;
	size_t length; /* before compression */
} sealed;

/* Returns MCP_UNPACKED if the block may be decompressed. */
static mcp_unpacked find_sealed(sealed *found, mcp_bytes packed, uint32_t flags) {
	const mcp_compressor *compressor = find_by_flags(flags & ~MCP_VALUE_BARE);
	*found = (sealed){.compressor = compressor, .block = packed};
	if (compressor == NULL || compressor->inflate == NULL) {
		return MCP_UNPACKED_NOT_HERE;
	}
	size_t max = MIN(php_mcp_compressors_inflated_max(), php_mcp_memory_left() / 2);
	if ((flags & MCP_VALUE_BARE) != 0) {
		found->length = compressor->measure != NULL ? compressor->measure(packed, max) : 0;
		return found->length > 0 ? MCP_UNPACKED : MCP_UNPACKED_DAMAGED;
	}
	if (packed.length <= LENGTH_BYTES) {
		return MCP_UNPACKED_DAMAGED;
	}
	found->length = mcp_load_u32((const unsigned char *)packed.data);
	found->block = mcp_bytes_of(packed.data + LENGTH_BYTES, packed.length - LENGTH_BYTES);
	if (!compressor->may_become(found->block, found->length)) {
		return MCP_UNPACKED_DAMAGED;
	}
	return found->length <= max ? MCP_UNPACKED : MCP_UNPACKED_NOT_HERE;
}

zend_string *php_mcp_compressors_unpack(mcp_bytes packed, uint32_t flags) {
	sealed found;
	if (find_sealed(&found, packed, flags) != MCP_UNPACKED) {
		return NULL;
	}
	zend_string *plain = zend_string_alloc(found.length, false);
	if (!found.compressor->inflate(ZSTR_VAL(plain), found.length, found.block)) {
		zend_string_efree(plain);
		return NULL;
	}
	ZSTR_VAL(plain)[found.length] = '\0';
	return plain;
}

mcp_unpacked php_mcp_compressors_unpack_into(mcp_buffer *plain, mcp_bytes packed, uint32_t flags) {
	sealed found;
	mcp_unpacked can_be = find_sealed(&found, packed, flags);
	if (can_be != MCP_UNPACKED) {
		return can_be;
	}
	mcp_buffer_clear(plain);
	if (!mcp_buffer_reserve(plain, found.length)) {
		return MCP_UNPACKED_NOT_HERE;
	}
	plain->length = found.length;
	bool is_whole = found.compressor->inflate(plain->data, found.length, found.block);
	return is_whole ? MCP_UNPACKED : MCP_UNPACKED_DAMAGED;
}
