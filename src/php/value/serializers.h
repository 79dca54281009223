/* The contract of a serializer, and the one table of them. Which one wrote a value stands in the value's
 * flags, so that it is read whatever the reader's own Pool writes with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERIALIZERS_H
#define MCP_PHP_SERIALIZERS_H

#include "../../core/bytes.h"
#include "../../core/value_flags.h"
#include "../enums.h"

#include "php.h"

typedef struct mcp_serializer_codec {
	const char *name; /* in settings and in php --ri */
	mcp_value_type type;

	/* A new string. NULL with *mistake, why this value cannot be stored ("resources are not"), or with an
	 * exception that user code or the engine threw. `value` is out of user code's reach. */
	zend_string *(*serialize)(zval *value, const char **mistake);

	/* False, with *value undefined or something to free, when the bytes are not whole. Warnings are
	 * silenced and exceptions looked at by the caller. Runs user code, which cannot free the bytes.
	 * `allowed_classes`: lowercase names; NULL for all. */
	bool (*unserialize)(zval *value, mcp_bytes bytes, HashTable *allowed_classes);
} mcp_serializer_codec;

extern const mcp_serializer_codec mcp_serializer_php;

const mcp_serializer_codec *mcp_serializers_get(mcp_serializer which);

/* NULL: no serializer writes this type. */
const mcp_serializer_codec *mcp_serializers_of_type(uint32_t type);

#endif
