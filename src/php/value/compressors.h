/* Interface and table of the compressors. A compressed payload has php-memcached's layout: the length before
 * compression (32 bits, little-endian), then the block. A value of pecl-memcache has no length in front (see
 * MCP_VALUE_BARE). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COMPRESSORS_H
#define MCP_PHP_COMPRESSORS_H

#include "../../store/store.h"
#include "../../core/envelope/value_flags.h"
#include "../objects/enums.h"

#include "php.h"

typedef struct mcp_compressor {
	const char *name; /* in settings and in php --ri */
	uint32_t flags;

	/* Writes a block of at most `room` bytes. Returns its length; 0 if it does not fit. NULL: this build cannot
	 * compress. */
	size_t (*deflate)(char *to, size_t room, mcp_bytes from);

	/* Returns the decompressed length of a block that does not state this length, without allocation. 0: damaged, empty
	 * or more than `max`. NULL: the compressor reads only blocks with a length in front. */
	size_t (*measure)(mcp_bytes block, size_t max);

	/* False if the block's header or its own length shows that the block cannot decompress to `length` bytes. Called
	 * before any allocation. */
	bool (*may_become)(mcp_bytes block, size_t length);

	/* True if the whole block decompresses to exactly `length` bytes. NULL: this build cannot read such blocks. */
	bool (*inflate)(char *to, size_t length, mcp_bytes block);

	const char *version; /* version of the library; NULL if there is no library */
	const char *package; /* Debian's package name */
} mcp_compressor;

/* Contexts of the libraries, one set per thread, allocated with malloc at their first use. A new context costs more
 * than compressing a page. */
typedef struct mcp_compressor_contexts {
	void *zlib_writer, *zlib_reader, *zstd_writer, *zstd_reader;
	int zlib_writer_level;
} mcp_compressor_contexts;

void php_mcp_compressors_free(mcp_compressor_contexts *contexts);

/* NULL for MCP_COMPRESSION_NONE. */
const mcp_compressor *php_mcp_compressors_get(mcp_compression which);
/* Finds a compressor that has an enum case, even if it is not built in. NULL for an unknown name. */
const mcp_compressor *php_mcp_compressors_named(const char *name);
/* Returns zstd or zlib, the first that is built in, or NULL. */
const mcp_compressor *php_mcp_compressors_best(void);
static inline bool php_mcp_compressors_is_built_in(const mcp_compressor *compressor) {
	return compressor->deflate != NULL;
}

/* Returns "zlib 1.2.13, zstd 1.5.4", or "none". The caller releases the string. */
zend_string *php_mcp_compressors_describe(void);

/* Maximum decompressed size of a payload. */
size_t php_mcp_compressors_inflated_max(void);

/* Returns a new string; NULL if it would not be at least 1/8 shorter than `plain`. */
zend_string *php_mcp_compressors_pack(const mcp_compressor *compressor, mcp_bytes plain);

/* Returns a new decompressed string. NULL if no compressor has these flags, the payload is damaged, or its decompressed
 * length exceeds php_mcp_compressors_inflated_max(). In the last case, nothing is allocated. */
zend_string *php_mcp_compressors_unpack(mcp_bytes packed, uint32_t flags);

typedef enum mcp_unpacked {
	MCP_UNPACKED,
	MCP_UNPACKED_NOT_HERE, /* compressor not built in, or not enough memory */
	MCP_UNPACKED_DAMAGED,
} mcp_unpacked;

/* Pack and unpack into memory outside the engine, for callers that a fatal error must not skip. False if
 * compression does not save enough. */
bool php_mcp_compressors_pack_into(mcp_buffer *packed, const mcp_compressor *compressor,
	mcp_bytes plain);
mcp_unpacked php_mcp_compressors_unpack_into(mcp_buffer *plain, mcp_bytes packed, uint32_t flags);

#endif
