/* Formats of Pools: serializer, compression, allowed classes and signing keys. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_VALUE_FORMAT_H
#define MCP_PHP_VALUE_FORMAT_H

#include "../../core/envelope/signature.h"
#include "compressors.h"
#include "serializers.h"

/* Owned by its Pool. */
typedef struct mcp_format {
	const mcp_serializer_codec *serializer;
	const mcp_compressor *compressor; /* NULL: no compression */
	size_t compress_above;            /* bytes */
	/* Lowercase names, as for unserialize(); NULL: all. */
	HashTable *allowed_classes;
	mcp_signing_keys *signing_keys; /* NULL: values are not signed */
} mcp_format;

/* True if values of this serializer may be read. A serializer that creates objects of any class may read only
 * signed values, because their writers had the secret. */
static inline bool php_mcp_format_allows(const mcp_format *format,
	const mcp_serializer_codec *codec) {
	return format->allowed_classes == NULL || codec->limits_classes || format->signing_keys != NULL;
}

/* Frees the members that the format owns, but not the struct. */
void php_mcp_format_free(mcp_format *format);

/* The constructor's parsed arguments. All are borrowed. NULL: not given. */
typedef struct mcp_format_arguments {
	zend_object *serializer;
	zval *allowed_classes;
	zend_string *signing_key; /* or signing_keys */
	HashTable *signing_keys;
	zend_object *compression;
	zend_long compress_above;
	bool compress_above_is_null;
} mcp_format_arguments;

/* Checks the arguments, and the INI settings for arguments that were not given. False with an exception. On true,
 * free the format with php_mcp_format_free(). */
bool php_mcp_format_arguments_judge(const mcp_format_arguments *arguments, mcp_format *format);
/* Reads the INI settings only, even if a serializer or compressor is not available. Returns NULL, or the rule
 * that *setting violates, as text after "must ", which the caller releases. */
zend_string *php_mcp_format_arguments_name(mcp_format *format, const char **setting);

#endif
