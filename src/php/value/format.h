/* How a Pool's values become bytes, and what may become of bytes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_VALUE_FORMAT_H
#define MCP_PHP_VALUE_FORMAT_H

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

/* The arguments of Pool's constructor that say how values are written and read, and the INI settings where they were not
 * given: judged, with a ValueError for each mistake. */

/* The arguments as the constructor parsed them; everything is borrowed. NULL stands for those that were not given. */
typedef struct mcp_format_arguments {
	zend_object *serializer;
	zval *allowed_classes;
	zend_string *signing_key; /* or ... */
	HashTable *signing_keys;
	zend_object *compression;
	zend_long compress_above;
	bool compress_above_is_null;
} mcp_format_arguments;

/* Judges the arguments, and the settings of those that were not given; false with an exception. On true the caller owns what the
 * format does, see php_mcp_format_free. */
bool php_mcp_format_arguments_judge(const mcp_format_arguments *arguments, mcp_format *format);
/* Goes by the settings' names alone, which may be of what is not here. Returns NULL, or the rule that *setting breaks, in words
 * that follow "must "; the caller releases it. */
zend_string *php_mcp_format_arguments_name(mcp_format *format, const char **setting);

#endif
