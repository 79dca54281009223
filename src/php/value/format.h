/* How a Pool's values become bytes, and what may become of bytes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_FORMAT_H
#define MCP_PHP_FORMAT_H

#include "../../core/envelope/signature.h"
#include "compressors.h"
#include "serializers.h"

/* Belongs to its Pool, and lives as long. */
typedef struct mcp_format {
	const mcp_serializer_codec *serializer;
	const mcp_compressor *compressor; /* NULL: none */
	size_t compress_above;            /* bytes */
	/* Lowercase names, as unserialize() takes them; NULL: all. */
	HashTable *allowed_classes;
	mcp_signing_keys *signing_keys; /* NULL: nothing is signed */
} mcp_format;

/* Frees what the format owns, not itself. */
void php_mcp_format_free(mcp_format *format);

#endif
