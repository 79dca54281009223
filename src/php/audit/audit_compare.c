/* Compares bytes as the Pool would store them, but for their compression, whose libraries differ from host to host. Where they
 * differ, both are decoded and encoded once more: another serializer may have written them, or a class may change what it
 * is decoded to. */
/* SPDX-License-Identifier: MIT */
#include "audit_compare.h"

#include "../value/value.h"

static const mcp_format *format_of(const mcp_audit_due *due) {
	return php_mcp_pool_format(due->object->pool);
}

static mcp_bytes payload_served(const mcp_audit_due *due) {
	return mcp_bytes_of(ZSTR_VAL(due->payload), ZSTR_LEN(due->payload));
}

static bool decode(const mcp_audit_due *due, mcp_bytes payload, uint32_t flags, zval *value) {
	return php_mcp_value_decode(value, payload, flags, format_of(due));
}

static bool encode(const mcp_audit_due *due, zval *value, mcp_encoded_value *encoded) {
	mcp_format plain = *format_of(due);
	plain.compressor = NULL;
	return php_mcp_value_encode(encoded, value, &plain,
		mcp_bytes_of(ZSTR_VAL(due->name), ZSTR_LEN(due->name)));
}

/* Encodes what these bytes decode to. */
static bool encode_again(const mcp_audit_due *due, mcp_bytes payload, uint32_t flags,
	mcp_encoded_value *encoded) {
	zval value;
	if (!decode(due, payload, flags, &value)) {
		return false;
	}
	bool is_encoded = encode(due, &value, encoded);
	zval_ptr_dtor(&value);
	if (is_encoded && EG(exception) != NULL) { /* its destructor has thrown */
		php_mcp_value_release(encoded);
		return false;
	}
	return is_encoded;
}

static bool have_equal_bytes(mcp_bytes payload, uint32_t flags, const mcp_encoded_value *encoded) {
	return flags == encoded->flags && mcp_bytes_equal(payload, encoded->payload);
}

/* Compares after both have been stored and read, as far as this process can do that. */
static bool compare_on_their_way(const mcp_audit_due *due, const mcp_encoded_value *computed,
	bool *are_equal) {
	mcp_encoded_value served;
	if (!encode_again(due, payload_served(due), due->flags, &served)) {
		return false;
	}
	*are_equal = have_equal_bytes(computed->payload, computed->flags, &served);
	mcp_encoded_value again;
	bool is_told = *are_equal || encode_again(due, computed->payload, computed->flags, &again);
	if (is_told && !*are_equal) {
		*are_equal = have_equal_bytes(again.payload, again.flags, &served);
		php_mcp_value_release(&again);
	}
	php_mcp_value_release(&served);
	return is_told;
}

static bool compare_bytes(const mcp_audit_due *due, zval *computed, bool *are_equal) {
	mcp_encoded_value encoded;
	if (!encode(due, computed, &encoded)) {
		return false;
	}
	*are_equal = have_equal_bytes(payload_served(due), due->flags, &encoded);
	bool is_told = *are_equal || compare_on_their_way(due, &encoded, are_equal);
	php_mcp_value_release(&encoded);
	return is_told;
}

static bool ask(const mcp_audit_due *due, zval *computed, bool *are_equal) {
	zval arguments[2];
	if (!decode(due, payload_served(due), due->flags, &arguments[0])) {
		return false;
	}
	ZVAL_COPY(&arguments[1], computed);
	mcp_user_call compare = due->audit->compare;
	zval result;
	bool is_told = php_mcp_user_call_run_all(&compare, arguments, 2, &result);
	if (is_told) {
		*are_equal = zend_is_true(&result);
		zval_ptr_dtor(&result);
	}
	zval_ptr_dtor(&arguments[1]);
	zval_ptr_dtor(&arguments[0]);
	return is_told && EG(exception) == NULL;
}

bool php_mcp_audit_compare(const mcp_audit_due *due, zval *computed, bool *are_equal) {
	return php_mcp_user_call_is_none(&due->audit->compare) ? compare_bytes(due, computed, are_equal)
														   : ask(due, computed, are_equal);
}
