/* Interface and table of the serializers. The value's flags name its serializer, so any Pool can read it. */
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

	bool limits_classes; /* unserialize() creates objects of allowed classes only */

	/* Returns a new string. NULL in 3 cases: *mistake says why the value cannot be stored ("Serializer::Json does not
	 * support objects"), an exception is set, or neither. In the last case, use PHP's serializer. `value` must not be
	 * reachable by user code. */
	zend_string *(*serialize)(zval *value, const char **mistake);

	/* Validates bytes before they are read. Called for at least deep_from bytes, or if memory_max() of their number
	 * exceeds the available memory. */
	bool (*scan)(mcp_bytes bytes, mcp_serialized_facts *facts);
	size_t deep_from;
	size_t (*memory_max)(size_t length);

	/* False if the bytes are damaged; *value is then UNDEF or must be freed. The caller silences warnings and handles
	 * exceptions. Runs user code, which must not be able to free the bytes. `allowed_classes`: lowercase names; NULL:
	 * all. */
	bool (*unserialize)(zval *value, mcp_bytes bytes, HashTable *allowed_classes);
} mcp_serializer_codec;

/* Looks up the functions of the other extensions. Call it at start-up. */
void php_mcp_serializers_register(void);

const mcp_serializer_codec *php_mcp_serializers_get(mcp_serializer which);

/* Returns igbinary if it is loaded, otherwise PHP's serializer. */
const mcp_serializer_codec *php_mcp_serializers_best(void);

/* NULL for an unknown name. */
const mcp_serializer_codec *php_mcp_serializers_named(const char *name);

/* Returns the names of the available serializers, such as "php, igbinary, json". The caller releases the string. */
zend_string *php_mcp_serializers_describe(void);

/* NULL if no available serializer has this type. */
const mcp_serializer_codec *php_mcp_serializers_of_type(uint32_t type);

#endif
