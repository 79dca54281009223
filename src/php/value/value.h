/* PHP values as bytes with flags, and back: strings as they are, integers, floats and booleans as
 * text, everything else through the serializer of a Pool. The flags are laid out like php-memcached's. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_VALUE_H
#define MCP_PHP_VALUE_H

#include "../../core/bytes.h"
#include "../../core/envelope/value_flags.h"
#include "format.h"

#include "php.h"

/* Copies as ZVAL_STRINGL_FAST, which in some PHPs asks whether the length is too much for memory: these bytes
 * are there. */
static zend_always_inline void php_mcp_value_copy(zval *value, mcp_bytes bytes) {
	if (EXPECTED(bytes.length > 1)) {
		ZVAL_NEW_STR(value, zend_string_init(bytes.data, bytes.length, false));
	} else {
		ZVAL_STRINGL_FAST(value, bytes.data, bytes.length);
	}
}

typedef struct mcp_encoded_value {
	mcp_bytes payload;  /* lives until php_mcp_value_release */
	uint32_t flags;     /* the lower 16 bits of an item's flags */
	zend_string *owner; /* what payload points into: the user's own string, or a new one */
} mcp_encoded_value;

/* Runs user code (__serialize, __sleep, destructors). False with an exception: NotSerializableException about
 * `name`, the key as the user gave it, for what cannot be stored (closures and other unserializable objects anywhere,
 * resources at the top or in arrays, what is nested deeper than it could be read), or the exception that the
 * user's code threw. On true, release it with php_mcp_value_release. */
bool php_mcp_value_encode(mcp_encoded_value *encoded, zval *value, const mcp_format *format,
	mcp_bytes name);
void php_mcp_value_release(mcp_encoded_value *encoded);

/* Runs user code (__unserialize, __wakeup, autoload), but never while it still reads `payload`: a
 * serialized one is copied first. False, with nothing in *value to free, for what does not decode: either
 * EG(exception) is set (the user's code threw) or the value is unreadable, which is a miss: objects of
 * classes that are not there make it so. How it is read stands in the lower 16 bits of `flags`; the format says
 * only what may be read. */
bool php_mcp_value_decode(zval *value, mcp_bytes payload, uint32_t flags, const mcp_format *format);

/* Decodes what is read most, right where it is wanted: false for all else, of which nothing is said. */
static zend_always_inline bool php_mcp_value_decode_string(zval *value, mcp_bytes payload,
	uint32_t flags) {
	if (UNEXPECTED((flags & MCP_VALUE_MASK) != MCP_VALUE_STRING || payload.length < 2)) {
		return false; /* what is shorter is not allocated */
	}
	zend_string *string = zend_string_alloc(payload.length, false);
	memcpy(ZSTR_VAL(string), payload.data, payload.length);
	ZSTR_VAL(string)[payload.length] = '\0';
	ZVAL_NEW_STR(value, string);
	return true;
}

/* Reads what one serializer wrote, in bytes that no user code can free. `allowed_classes`: lowercase names, as
 * unserialize() takes them; NULL for all. */
bool php_mcp_value_unserialize(zval *value, const mcp_serializer_codec *codec, mcp_bytes bytes,
	HashTable *allowed_classes);

#endif
