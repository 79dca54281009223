/* Converts PHP values to bytes with flags, and back. Any client might have written the bytes: a value that does not
 * decode exactly is unreadable, without an error of the engine. */
/* SPDX-License-Identifier: MIT */
#include "value.h"

#include "../../core/bytes.h"
#include "../engine/bailout.h"
#include "../engine/value_watch.h"
#include "../engine/user_call.h"
#include "../objects/failure.h"
#include "../engine/memory_left.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"
#include "zend_strtod.h"

/* Text forms that php-memcached writes. */
#define INFINITY_TEXT "Infinity"
#define MINUS_INFINITY_TEXT "-Infinity"
#define NAN_TEXT "NaN"
/* More than the longest text of a double needs, with sign and exponent. */
#define FLOAT_TEXT_MAX 63
/* smart_str_append_double(): the shortest text that reads back as the same number. */
#define PRECISION_ROUND_TRIP (-1)

static void set_payload(mcp_encoded_value *encoded, zend_string *owner, uint32_t flags) {
	encoded->owner = owner;
	encoded->payload = mcp_bytes_of(ZSTR_VAL(owner), ZSTR_LEN(owner));
	encoded->flags = flags;
}

/* Compress strings and serialized values, but no value that is longer than a reader would accept. */
static void compress(mcp_encoded_value *encoded, const mcp_format *format) {
	size_t length = encoded->payload.length;
	if (EXPECTED(length <= format->compress_above || format->compressor == NULL ||
			length > php_mcp_compressors_inflated_max())) {
		return;
	}
	zend_string *packed = php_mcp_compressors_pack(format->compressor, encoded->payload);
	if (packed != NULL) {
		zend_string_release(encoded->owner);
		set_payload(encoded, packed, encoded->flags | format->compressor->flags);
	}
}

static zend_string *float_to_text(double number) {
	if (zend_isinf(number)) {
		const char *text = number > 0 ? INFINITY_TEXT : MINUS_INFINITY_TEXT;
		return zend_string_init(text, strlen(text), 0);
	}
	if (zend_isnan(number)) {
		return zend_string_init(NAN_TEXT, sizeof(NAN_TEXT) - 1, 0);
	}
	smart_str text = {0};
	smart_str_append_double(&text, number, PRECISION_ROUND_TRIP, false);
	return smart_str_extract(&text);
}

/* The engine throws a plain Exception for closures and other unserializable objects. */
static void name_refused(mcp_bytes name) {
	zend_object *exception = EG(exception);
	if (exception->ce != zend_ce_exception || !php_mcp_engine_throw_is_pending()) {
		return;
	}
	zval buffer;
	zval *message = php_mcp_exception_property_read(exception, ZEND_STR_MESSAGE, &buffer);
	if (Z_TYPE_P(message) == IS_STRING) {
		zend_string *reason = zend_string_copy(Z_STR_P(message));
		zend_clear_exception();
		php_mcp_failure_throw_not_serializable(name, ZSTR_VAL(reason));
		zend_string_release(reason);
	}
}

static bool serialize_held(mcp_encoded_value *encoded, zval *held, const mcp_format *format,
	mcp_bytes name) {
	const char *mistake = NULL;
	const mcp_serializer_codec *codec = format->serializer;
	zend_string *bytes = codec->serialize(held, &mistake);
	if (bytes == NULL && mistake == NULL && EG(exception) == NULL) {
		codec = php_mcp_serializers_get(MCP_SERIALIZER_PHP);
		bytes = codec->serialize(held, &mistake);
	}
	if (bytes != NULL) {
		set_payload(encoded, bytes, codec->type);
		compress(encoded, format);
		return true;
	}
	if (mistake != NULL) {
		php_mcp_failure_throw_not_serializable(name, mistake);
	} else {
		name_refused(name);
	}
	return false;
}

static bool serialize(mcp_encoded_value *encoded, zval *value, const mcp_format *format,
	mcp_bytes name) {
	php_mcp_bailout_raise();
	zval held;
	const char *mistake = php_mcp_value_watch_copy_storable(&held, value);
	if (mistake != NULL) {
		php_mcp_failure_throw_not_serializable(name, mistake);
	}
	bool is_done = mistake == NULL && serialize_held(encoded, &held, format, name);
	zval_ptr_dtor(&held);
	if (is_done && EG(exception) != NULL) {
		php_mcp_value_release(encoded); /* the value's destructor threw */
		return false;
	}
	return is_done;
}

bool php_mcp_value_encode(mcp_encoded_value *encoded, zval *value, const mcp_format *format,
	mcp_bytes name) {
	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
			set_payload(encoded, zend_string_copy(Z_STR_P(value)), MCP_VALUE_STRING);
			compress(encoded, format);
			return true;
		case IS_LONG:
			set_payload(encoded, zend_long_to_str(Z_LVAL_P(value)), MCP_VALUE_INT);
			return true;
		case IS_DOUBLE:
			set_payload(encoded, float_to_text(Z_DVAL_P(value)), MCP_VALUE_FLOAT);
			return true;
		case IS_TRUE:
			set_payload(encoded, ZSTR_CHAR('1'), MCP_VALUE_BOOL);
			return true;
		case IS_FALSE:
			set_payload(encoded, ZSTR_EMPTY_ALLOC(), MCP_VALUE_BOOL);
			return true;
		default:
			return serialize(encoded, value, format, name);
	}
}

void php_mcp_value_release(mcp_encoded_value *encoded) {
	zend_string_release(encoded->owner);
	encoded->owner = NULL;
	encoded->payload = mcp_bytes_none();
}

static bool decode_int(zval *value, mcp_bytes payload) {
	int64_t number;
	if (!mcp_decimal_parse_i64(payload, &number) || number < ZEND_LONG_MIN ||
		number > ZEND_LONG_MAX) {
		return false;
	}
	ZVAL_LONG(value, (zend_long)number);
	return true;
}

static bool decode_float(zval *value, mcp_bytes payload) {
	if (mcp_bytes_are(payload, INFINITY_TEXT) || mcp_bytes_are(payload, MINUS_INFINITY_TEXT)) {
		ZVAL_DOUBLE(value, payload.data[0] == '-' ? -ZEND_INFINITY : ZEND_INFINITY);
		return true;
	}
	if (mcp_bytes_are(payload, NAN_TEXT)) {
		ZVAL_DOUBLE(value, ZEND_NAN);
		return true;
	}
	if (payload.length == 0 || payload.length > FLOAT_TEXT_MAX ||
		strchr("-.0123456789", payload.data[0]) == NULL) {
		return false;
	}
	char text[FLOAT_TEXT_MAX + 1];
	memcpy(text, payload.data, payload.length);
	text[payload.length] = '\0';
	const char *end;
	double number = zend_strtod(text, &end);
	if (end != text + payload.length) {
		return false;
	}
	ZVAL_DOUBLE(value, number);
	return true;
}

static bool decode_bool(zval *value, mcp_bytes payload) {
	if (payload.length > 1 || (payload.length == 1 && payload.data[0] != '1')) {
		return false;
	}
	ZVAL_BOOL(value, payload.length == 1);
	return true;
}

bool php_mcp_value_unserialize(zval *value, const mcp_serializer_codec *codec, mcp_bytes bytes,
	HashTable *allowed_classes) {
	php_mcp_bailout_raise();
	ZVAL_UNDEF(value);
	int level = php_mcp_value_watch_begin();
	bool is_read = codec->unserialize(value, bytes, allowed_classes);
	/* A caller that lists classes accepts incomplete objects of other classes. */
	if (php_mcp_value_watch_end(level) && allowed_classes == NULL) {
		is_read = false;
	}
	/* The engine throws if a stored value no longer fits its class (TypeError for a property, Error from DateTime).
	 * Such a value is unreadable. An exception from user code goes to the user. */
	if (php_mcp_engine_throw_is_pending()) {
		zend_clear_exception();
		is_read = false;
	}
	if (!is_read || EG(exception) != NULL) {
		/* *value is often the method's return value, which the engine destroys after an exception. */
		zval_ptr_dtor(value);
		ZVAL_NULL(value);
		return false;
	}
	if (Z_ISREF_P(value)) {
		zend_unwrap_reference(value);
	}
	return true;
}

/* A value that is nested too deeply, or that exceeds memory_limit in addition to a copy of the bytes, must count as a
 * miss instead of causing a fatal error. Most values are too short for either problem, and are not scanned. */
static bool is_within_limits(const mcp_serializer_codec *codec, mcp_bytes bytes, bool *is_inert) {
	size_t left = php_mcp_memory_left();
	size_t memory = left > bytes.length ? left - bytes.length : 0;
	*is_inert = false;
	if (bytes.length < codec->deep_from && codec->memory_max(bytes.length) <= memory) {
		return true;
	}
	mcp_serialized_facts facts;
	bool is_read = codec->scan(bytes, &facts);
	*is_inert = facts.is_inert;
	return is_read && facts.depth <= MCP_SERIALIZED_DEPTH_MAX && facts.memory <= memory;
}

/* `is_lent`: a store owns the bytes. They are copied first, because user code can use this store. */
static bool decode_serialized(zval *value, mcp_bytes bytes, bool is_lent, uint32_t type,
	const mcp_format *format) {
	const mcp_serializer_codec *codec = php_mcp_serializers_of_type(type);
	bool is_inert;
	if (codec == NULL || !php_mcp_format_allows(format, codec) ||
		!is_within_limits(codec, bytes, &is_inert)) {
		return false;
	}
	if (!is_lent || is_inert) {
		return php_mcp_value_unserialize(value, codec, bytes, format->allowed_classes);
	}
	zend_string *copy = zend_string_init(bytes.data, bytes.length, false);
	bool is_read = php_mcp_value_unserialize(value, codec,
		mcp_bytes_of(ZSTR_VAL(copy), bytes.length), format->allowed_classes);
	zend_string_release(copy);
	return is_read;
}

/* No client compresses numbers and booleans, because they are too short. */
static bool decode_packed(zval *value, mcp_bytes payload, uint32_t flags,
	const mcp_format *format) {
	uint32_t type = flags & MCP_VALUE_TYPE_MASK;
	if (type == flags) {
		return decode_serialized(value, payload, true, type, format);
	}
	zend_string *bytes = php_mcp_compressors_unpack(payload, flags & ~MCP_VALUE_TYPE_MASK);
	if (bytes == NULL) {
		return false;
	}
	if (type == MCP_VALUE_STRING) {
		ZVAL_STR(value, bytes);
		return true;
	}
	mcp_bytes view = mcp_bytes_of(ZSTR_VAL(bytes), ZSTR_LEN(bytes));
	bool is_read = decode_serialized(value, view, false, type, format);
	zend_string_release(bytes);
	return is_read;
}

bool php_mcp_value_decode(zval *value, mcp_bytes payload, uint32_t flags,
	const mcp_format *format) {
	switch (flags & MCP_VALUE_MASK) {
		case MCP_VALUE_STRING:
			php_mcp_value_copy(value, payload);
			return true;
		case MCP_VALUE_INT:
			return decode_int(value, payload);
		case MCP_VALUE_FLOAT:
			return decode_float(value, payload);
		case MCP_VALUE_BOOL:
			return decode_bool(value, payload);
		default:
			return decode_packed(value, payload, flags & MCP_VALUE_MASK, format);
	}
}
