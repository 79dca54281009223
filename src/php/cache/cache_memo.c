/* Values are kept as they are answered, counted by reference: PHP copies a string or an array when it is changed. */
/* SPDX-License-Identifier: MIT */
#include "cache_memo.h"

#define DEPTH_MAX 32
/* What a value, its name and an array's element take beside their bytes, about. */
#define OVERHEAD 32

static void free_value(zval *entry) {
	mcp_memo_value *kept = Z_PTR_P(entry);
	zval_ptr_dtor(&kept->value);
	efree(kept);
}

mcp_memo *mcp_memo_create(void) {
	mcp_memo *memo = emalloc(sizeof(*memo));
	zend_hash_init(&memo->values, 8, NULL, free_value, false);
	memo->bytes = 0;
	return memo;
}

void mcp_memo_free(mcp_memo *memo) {
	zend_hash_destroy(&memo->values);
	efree(memo);
}

/* False for what may not be kept: an object lives a life of its own, and through a reference a caller could change
 * what others are answered. */
static bool measure(const zval *value, int depth, size_t *bytes) {
	*bytes += OVERHEAD;
	switch (Z_TYPE_P(value)) {
		case IS_NULL:
		case IS_FALSE:
		case IS_TRUE:
		case IS_LONG:
		case IS_DOUBLE:
			return true;
		case IS_STRING:
			*bytes += Z_STRLEN_P(value);
			return *bytes <= MCP_MEMO_VALUE_BYTES_MAX;
		case IS_ARRAY:
			break;
		default:
			return false;
	}
	if (depth >= DEPTH_MAX) {
		return false;
	}
	zend_string *key;
	zval *element;
	ZEND_HASH_FOREACH_STR_KEY_VAL(Z_ARRVAL_P(value), key, element) {
		*bytes += key != NULL ? ZSTR_LEN(key) : 0;
		if (*bytes > MCP_MEMO_VALUE_BYTES_MAX || !measure(element, depth + 1, bytes)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

void mcp_memo_drop(mcp_memo *memo, zend_string *name) {
	const mcp_memo_value *kept = mcp_memo_find(memo, name);
	if (kept != NULL) {
		memo->bytes -= kept->bytes;
		zend_hash_del(&memo->values, name);
	}
}

static bool has_room(const mcp_memo *memo, size_t bytes) {
	return zend_hash_num_elements(&memo->values) < MCP_MEMO_VALUES_MAX &&
		memo->bytes + bytes <= MCP_MEMO_BYTES_MAX;
}

void mcp_memo_keep(mcp_memo *memo, zend_string *name, zval *value, const mcp_near_look *look,
	const mcp_envelope *envelope) {
	size_t bytes = sizeof(mcp_memo_value) + ZSTR_LEN(name);
	mcp_memo_drop(memo, name);
	if (!measure(value, 0, &bytes)) {
		return;
	}
	if (!has_room(memo, bytes)) {
		zend_hash_clean(&memo->values);
		memo->bytes = 0;
	}
	mcp_memo_value *kept = emalloc(sizeof(*kept));
	ZVAL_COPY(&kept->value, value);
	kept->bytes = bytes;
	kept->look = *look;
	kept->created_ms = envelope->created_ms;
	kept->soft_ms = envelope->soft_ms;
	kept->epoch = envelope->epoch;
	kept->compute_ms = envelope->compute_ms;
	kept->election = envelope->value_election;
	memo->bytes += bytes;
	zend_hash_add_new_ptr(&memo->values, name, kept);
}
