/* zlib, if configure found it. */
/* SPDX-License-Identifier: MIT */
#include "compressors.h"

#include "php_mcpatterns.h"

#define NAMES \
	.name = "zlib", .flags = MCP_VALUE_COMPRESSED | MCP_VALUE_ZLIB, .package = "zlib1g-dev"

#ifdef HAVE_MCPATTERNS_ZLIB

#include <zlib.h>

/* Maximum expansion of a byte by deflate (zlib's technical details, "Maximum Compression Factor"). */
#define FACTOR_MAX 1032

typedef struct writer {
	z_stream stream;
	int level;
} writer;

static writer *make_writer(int level) {
	writer *made = calloc(1, sizeof(*made));
	if (made != NULL && deflateInit(&made->stream, level) != Z_OK) {
		free(made);
		return NULL;
	}
	if (made != NULL) {
		made->level = level;
	}
	return made;
}

static void free_writer(writer *old) {
	if (old != NULL) {
		deflateEnd(&old->stream);
		free(old);
	}
}

/* Returns a reset writer at the configured level; NULL if out of memory. */
static writer *take_writer(void) {
	int level = (int)MCP_G(zlib_level);
	writer *kept = MCP_G(compressor_contexts).zlib_writer;
	if (kept != NULL && kept->level == level && deflateReset(&kept->stream) == Z_OK) {
		return kept;
	}
	free_writer(kept);
	return MCP_G(compressor_contexts).zlib_writer = make_writer(level);
}

static void aim(z_stream *stream, char *to, size_t room, mcp_bytes from) {
	stream->next_in = (Bytef *)from.data;
	stream->avail_in = (uInt)from.length;
	stream->next_out = (Bytef *)to;
	stream->avail_out = (uInt)room;
}

static size_t deflate_whole(char *to, size_t room, mcp_bytes from) {
	writer *at = take_writer();
	if (at == NULL) {
		return 0;
	}
	aim(&at->stream, to, room, from);
	return deflate(&at->stream, Z_FINISH) == Z_STREAM_END ? at->stream.total_out : 0;
}

static bool may_become(mcp_bytes block, size_t length) {
	return length / FACTOR_MAX <= block.length;
}

static z_stream *take_reader(void) {
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

static bool inflate_whole(char *to, size_t length, mcp_bytes block) {
	z_stream *stream = take_reader();
	if (stream == NULL || block.length > UINT_MAX) {
		return false;
	}
	aim(stream, to, length, block);
	return inflate(stream, Z_FINISH) == Z_STREAM_END && stream->total_out == length &&
		stream->avail_in == 0;
}

/* Decompress into a small buffer to learn the length. Decompressing twice is cheaper than a growing string that a
 * bomb fills. */
static size_t measure(mcp_bytes block, size_t max) {
	char room[4096];
	z_stream *stream = take_reader();
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

void php_mcp_compressor_zlib_free(mcp_compressor_contexts *contexts) {
	free_writer(contexts->zlib_writer);
	if (contexts->zlib_reader != NULL) {
		inflateEnd(contexts->zlib_reader);
		free(contexts->zlib_reader);
	}
	contexts->zlib_writer = contexts->zlib_reader = NULL;
}

const mcp_compressor php_mcp_compressor_zlib = {
	NAMES,
	.deflate = deflate_whole,
	.measure = measure,
	.may_become = may_become,
	.inflate = inflate_whole,
	.version = ZLIB_VERSION,
};

#else

void php_mcp_compressor_zlib_free(mcp_compressor_contexts *contexts) {
	(void)contexts;
}

const mcp_compressor php_mcp_compressor_zlib = {NAMES};

#endif
