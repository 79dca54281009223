/* How a Pool's values become bytes, and what may become of bytes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_FORMAT_H
#define MCP_PHP_FORMAT_H

#include "serializers.h"

/* Belongs to its Pool, and lives as long. */
typedef struct mcp_format {
	const mcp_serializer_codec *serializer;
	/* Lowercase names, as unserialize() takes them; NULL: all. */
	HashTable *allowed_classes;
} mcp_format;

#endif
