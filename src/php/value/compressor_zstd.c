/* Zstandard, if configure found it. */
/* SPDX-License-Identifier: MIT */
#include "compressors.h"

#include "php_mcpatterns.h"

#define NAMES \
	.name = "zstd", .flags = MCP_VALUE_COMPRESSED | MCP_VALUE_ZSTD, .package = "libzstd-dev"

#ifdef HAVE_MCPATTERNS_ZSTD

#include <zstd.h>

/* Free larger contexts: high levels use tens of megabytes for a large value. */
#define KEPT_MAX (4u * 1024 * 1024)

static void keep_if_small(ZSTD_CCtx *context) {
	if (ZSTD_sizeof_CCtx(context) > KEPT_MAX) {
		ZSTD_freeCCtx(context);
		MCP_G(compressor_contexts).zstd_writer = NULL;
	}
}

static size_t deflate_whole(char *to, size_t room, mcp_bytes from) {
	ZSTD_CCtx *context = MCP_G(compressor_contexts).zstd_writer;
	if (context == NULL) {
		context = MCP_G(compressor_contexts).zstd_writer = ZSTD_createCCtx();
	}
	if (context == NULL) {
		return 0;
	}
	int level = (int)MCP_G(zstd_level);
	size_t length = ZSTD_compressCCtx(context, to, room, from.data, from.length, level);
	keep_if_small(context);
	return ZSTD_isError(length) ? 0 : length;
}

/* ZSTD_compress() writes the length into the frame. */
static bool may_become(mcp_bytes block, size_t length) {
	return ZSTD_getFrameContentSize(block.data, block.length) == length;
}

static bool inflate_whole(char *to, size_t length, mcp_bytes block) {
	ZSTD_DCtx *context = MCP_G(compressor_contexts).zstd_reader;
	if (context == NULL) {
		context = MCP_G(compressor_contexts).zstd_reader = ZSTD_createDCtx();
	}
	return context != NULL &&
		ZSTD_decompressDCtx(context, to, length, block.data, block.length) == length;
}

void php_mcp_compressor_zstd_free(mcp_compressor_contexts *contexts) {
	ZSTD_freeCCtx(contexts->zstd_writer);
	ZSTD_freeDCtx(contexts->zstd_reader);
	contexts->zstd_writer = contexts->zstd_reader = NULL;
}

const mcp_compressor php_mcp_compressor_zstd = {
	NAMES,
	.deflate = deflate_whole,
	.may_become = may_become,
	.inflate = inflate_whole,
	.version = ZSTD_VERSION_STRING,
};

#else

void php_mcp_compressor_zstd_free(mcp_compressor_contexts *contexts) {
	(void)contexts;
}

const mcp_compressor php_mcp_compressor_zstd = {NAMES};

#endif
