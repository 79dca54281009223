/* The contract of a serializer, and the one table of them. Which one wrote a value stands in the value's
 * flags, so that it is read whatever the reader's own Pool writes with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERIALIZERS_H
#define MCP_PHP_SERIALIZERS_H

#include "../../core/serialized/serialized.h"
#include "../../core/envelope/value_flags.h"
#include "../objects/enums.h"

#include "php.h"

typedef struct mcp_serializer_codec {
	const char *name; /* in settings and in php --ri */
	mcp_value_type type;

	bool (*is_here)(void);

	bool limits_classes; /* unserialize makes objects of no class that is not allowed */

	/* A new string. NULL with *mistake, why this value cannot be stored ("resources are not"); with an
	 * exception that user code or the engine threw; or with neither: it is for PHP's serializer. `value` is out
	 * of user code's reach. */
	zend_string *(*serialize)(zval *value, const char **mistake);

	/* Asked before bytes are read that could be too deep, being no fewer than deep_from, or take more than there
	 * is, by memory_max of so many. */
	bool (*scan)(mcp_bytes bytes, mcp_serialized_facts *facts);
	size_t deep_from;
	size_t (*memory_max)(size_t length);

	/* False, with *value undefined or something to free, when the bytes are not whole. Warnings are
	 * silenced and exceptions looked at by the caller. Runs user code, which cannot free the bytes.
	 * `allowed_classes`: lowercase names; NULL for all. */
	bool (*unserialize)(zval *value, mcp_bytes bytes, HashTable *allowed_classes);
} mcp_serializer_codec;

extern const mcp_serializer_codec php_mcp_serializer_php;
extern const mcp_serializer_codec php_mcp_serializer_igbinary;
extern const mcp_serializer_codec php_mcp_serializer_json;
extern const mcp_serializer_codec php_mcp_serializer_msgpack;

/* Looks at start-up which extensions are loaded. */
void php_mcp_serializers_register(void);
/* Finds its own extension's functions, as the next does. */
void php_mcp_serializer_igbinary_find(void);
void php_mcp_serializer_msgpack_find(void);

const mcp_serializer_codec *php_mcp_serializers_get(mcp_serializer which);

/* Returns igbinary where it is loaded, else PHP's. */
const mcp_serializer_codec *php_mcp_serializers_best(void);

/* NULL if there is none of this name. */
const mcp_serializer_codec *php_mcp_serializers_named(const char *name);

/* Lists those that are here: "php, igbinary, json". The caller releases it. */
zend_string *php_mcp_serializers_describe(void);

/* NULL if no serializer that is here writes this type. */
const mcp_serializer_codec *php_mcp_serializers_of_type(uint32_t type);

#endif
