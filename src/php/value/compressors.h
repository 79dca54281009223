/* The contract of a compressor, the one table of them, and how a compressed payload is laid out: as
 * php-memcached does it, the length before compression in 32 bits, little-endian, and then the block. A value
 * of pecl-memcache is a block alone, see MCP_VALUE_BARE. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COMPRESSORS_H
#define MCP_PHP_COMPRESSORS_H

#include "../../core/bytes.h"
#include "../../core/envelope/value_flags.h"
#include "../../store/buffer.h"
#include "../objects/enums.h"

#include "php.h"

typedef struct mcp_compressor {
	const char *name; /* in settings and in php --ri */
	uint32_t flags;

	/* Writes a block of at most `room` bytes and answers its length; 0: it would be longer. NULL: this
	 * build cannot write it. */
	size_t (*deflate)(char *to, size_t room, mcp_bytes from);

	/* The length of what a block becomes that does not say it; 0: it is damaged, becomes nothing, or more than
	 * `max`. Nothing is allocated for it. NULL: only blocks with their length before them are read. */
	size_t (*measure)(mcp_bytes block, size_t max);

	/* False if the block says, or shows by its own length, that it does not become so many bytes. Asked before
	 * anything is allocated for them. */
	bool (*may_become)(mcp_bytes block, size_t length);

	/* True if the whole block becomes exactly so many bytes. NULL: this build cannot read it. */
	bool (*inflate)(char *to, size_t length, mcp_bytes block);

	const char *version; /* of the library; NULL where there is none */
	const char *package; /* what Debian calls it */
} mcp_compressor;

extern const mcp_compressor php_mcp_compressor_zlib;
extern const mcp_compressor php_mcp_compressor_zstd;
extern const mcp_compressor php_mcp_compressor_fastlz; /* reads only */

/* The libraries' own memory: made by malloc when it is first needed, one for each thread, because making it
 * costs more than compressing a page. */
typedef struct mcp_compressor_contexts {
	void *zlib_writer, *zlib_reader, *zstd_writer, *zstd_reader;
} mcp_compressor_contexts;

void php_mcp_compressors_free(mcp_compressor_contexts *contexts);
/* Frees its own parts of it, as the next does. */
void php_mcp_compressor_zlib_free(mcp_compressor_contexts *contexts);
void php_mcp_compressor_zstd_free(mcp_compressor_contexts *contexts);

/* NULL if it is MCP_COMPRESSION_NONE. */
const mcp_compressor *php_mcp_compressors_get(mcp_compression which);
/* Finds one of those that there is a case for, built in or not. NULL if there is none of this name. */
const mcp_compressor *php_mcp_compressors_named(const char *name);
/* Returns zstd where it is built in, else zlib, else NULL. */
const mcp_compressor *php_mcp_compressors_best(void);
bool php_mcp_compressors_is_built_in(const mcp_compressor *compressor);

/* Says "zlib 1.2.13, zstd 1.5.4", or "none". The caller releases it. */
zend_string *php_mcp_compressors_describe(void);

/* Bounds what a payload may become when it is inflated. */
size_t php_mcp_compressors_inflated_max(void);

/* Makes a new string; NULL if it would not be an eighth shorter than `plain`. */
zend_string *php_mcp_compressors_pack(const mcp_compressor *compressor, mcp_bytes plain);

/* Makes a new string of what stood before compression. NULL if no compressor wrote it with these flags, it is
 * damaged, or it says that it becomes more than php_mcp_compressors_inflated_max(): nothing is allocated for
 * that. */
zend_string *php_mcp_compressors_unpack(mcp_bytes packed, uint32_t flags);

typedef enum mcp_unpacked {
	MCP_UNPACKED,
	MCP_UNPACKED_NOT_HERE, /* this build has no such compressor, or this host not the memory */
	MCP_UNPACKED_DAMAGED,
} mcp_unpacked;

/* Packs, and the next unpacks, into memory that is not the engine's, for callers that it must not jump over. False if it
 * is not worth it. */
bool php_mcp_compressors_pack_into(mcp_buffer *packed, const mcp_compressor *compressor,
	mcp_bytes plain);
mcp_unpacked php_mcp_compressors_unpack_into(mcp_buffer *plain, mcp_bytes packed, uint32_t flags);

#endif
