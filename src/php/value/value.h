/* Converts PHP values to bytes with flags: strings are unchanged, integers, floats and booleans become text, and the
 * Pool's serializer writes other types. The flags have php-memcached's layout. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_VALUE_H
#define MCP_PHP_VALUE_H

#include "../../core/bytes.h"
#include "../../core/envelope/value_flags.h"
#include "format.h"

#include "php.h"

/* ZVAL_STRINGL_FAST without the check for overlong strings of some PHP versions. */
static zend_always_inline void php_mcp_value_copy(zval *value, mcp_bytes bytes) {
	if (EXPECTED(bytes.length > 1)) {
		ZVAL_NEW_STR(value, zend_string_init(bytes.data, bytes.length, false));
	} else {
		ZVAL_STRINGL_FAST(value, bytes.data, bytes.length);
	}
}

typedef struct mcp_encoded_value {
	mcp_bytes payload;  /* valid until php_mcp_value_release() */
	uint32_t flags;     /* lower 16 bits of an item's flags */
	zend_string *owner; /* owner of the payload: the user's string or a new string */
} mcp_encoded_value;

/* Encodes a value. Runs user code (__serialize, __sleep, destructors).
 * - name: the key as the user wrote it, for messages.
 * - True: release *encoded with php_mcp_value_release().
 * - False: an exception from user code, or a NotSerializableException. Closures and other unserializable objects,
 *   resources at the top or in arrays, and values that are nested too deeply to be read are not serializable. */
bool php_mcp_value_encode(mcp_encoded_value *encoded, zval *value, const mcp_format *format,
	mcp_bytes name);
void php_mcp_value_release(mcp_encoded_value *encoded);

/* Decodes a payload. Runs user code (__unserialize, __wakeup, autoload), but never while `payload` is in use: a
 * serialized payload is copied first.
 * - flags: their lower 16 bits select the decoder. The format only limits the decoder.
 * - False: *value needs no free. Either user code has set EG(exception), or the value is unreadable and is treated
 *   as a miss. A missing class makes a value unreadable. */
bool php_mcp_value_decode(zval *value, mcp_bytes payload, uint32_t flags, const mcp_format *format);

/* Fast path for strings. False for other values, which php_mcp_value_decode() might decode. */
static zend_always_inline bool php_mcp_value_decode_string(zval *value, mcp_bytes payload,
	uint32_t flags) {
	if (UNEXPECTED((flags & MCP_VALUE_MASK) != MCP_VALUE_STRING || payload.length < 2)) {
		return false; /* shorter strings are interned */
	}
	zend_string *string = zend_string_alloc(payload.length, false);
	memcpy(ZSTR_VAL(string), payload.data, payload.length);
	ZSTR_VAL(string)[payload.length] = '\0';
	ZVAL_NEW_STR(value, string);
	return true;
}

/* Reads bytes of one serializer. User code must not be able to free these bytes. `allowed_classes`: lowercase names, as
 * for unserialize(); NULL: all. */
bool php_mcp_value_unserialize(zval *value, const mcp_serializer_codec *codec, mcp_bytes bytes,
	HashTable *allowed_classes);

#endif
