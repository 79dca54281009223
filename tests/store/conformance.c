/* The vocabulary that the conformance cases are written in: short calls that state what they expect
 * of a store, and fail the test that made them. */
/* SPDX-License-Identifier: MIT */
#include "conformance.h"

#include <stdlib.h>

mcp_key conformance_key_of(const char *bytes, size_t length) {
	mcp_bytes wire = mcp_bytes_of(bytes, length);
	return (mcp_key){.wire = wire, .route = wire};
}

conformance_case conformance_cases[CONFORMANCE_CASES_MAX];
size_t conformance_count;

void conformance_join(const conformance_case *one) {
	assert_true(conformance_count < CONFORMANCE_CASES_MAX);
	conformance_cases[conformance_count++] = *one;
}

mcp_key conformance_key(const char *text) {
	return conformance_key_of(text, strlen(text));
}

mcp_record conformance_record_of(const char *bytes, size_t length) {
	return (mcp_record){.body = mcp_bytes_of(bytes, length)};
}

mcp_record conformance_record(const char *text) {
	return conformance_record_of(text, strlen(text));
}

void conformance_set(mcp_store *store, const char *key, const char *value) {
	conformance_set_flagged(store, key, value, 0);
}

void conformance_set_flagged(mcp_store *store, const char *key, const char *value, uint32_t flags) {
	mcp_key wire = conformance_key(key);
	mcp_record record = conformance_record(value);
	record.flags = flags;
	assert_int_equal(MCP_OK, mcp_store_set(store, &wire, &record));
}

mcp_item conformance_get(mcp_store *store, const char *key) {
	mcp_key wire = conformance_key(key);
	mcp_item item = {.cas = 0};
	assert_int_equal(MCP_OK, mcp_store_get(store, &wire, &item));
	return item;
}

uint64_t conformance_cas_id(mcp_store *store, const char *key) {
	return conformance_get(store, key).cas;
}

mcp_status conformance_status_of(mcp_store *store, const char *key) {
	mcp_key wire = conformance_key(key);
	mcp_item item;
	return mcp_store_get(store, &wire, &item);
}

mcp_status conformance_add(mcp_store *store, const char *key, const char *value) {
	mcp_key wire = conformance_key(key);
	mcp_record record = conformance_record(value);
	return mcp_store_add(store, &wire, &record);
}

mcp_status conformance_cas(mcp_store *store, const char *key, const char *value, uint64_t cas) {
	mcp_key wire = conformance_key(key);
	mcp_record record = conformance_record(value);
	return mcp_store_cas(store, &wire, &record, cas);
}

mcp_status conformance_delete(mcp_store *store, const char *key) {
	mcp_key wire = conformance_key(key);
	return mcp_store_delete(store, &wire);
}

mcp_status conformance_delete_if(mcp_store *store, const char *key, uint64_t cas) {
	mcp_key wire = conformance_key(key);
	return mcp_store_delete_if(store, &wire, cas);
}

void conformance_assert_bytes(const char *expected, mcp_bytes bytes) {
	if (mcp_bytes_equal(mcp_bytes_text(expected), bytes)) {
		return;
	}
	fail_msg("expected \"%s\", got %zu bytes \"%.*s\"", expected, bytes.length,
		(int)(bytes.length > 100 ? 100 : bytes.length), bytes.length > 0 ? bytes.data : "");
}

void conformance_assert_value(mcp_store *store, const char *key, const char *expected) {
	conformance_assert_bytes(expected, conformance_get(store, key).value);
}

void conformance_assert_absent(mcp_store *store, const char *key) {
	assert_int_equal(MCP_NOT_FOUND, conformance_status_of(store, key));
}

char *conformance_pattern(size_t length) {
	char *bytes = malloc(length + 1);
	assert_non_null(bytes);
	uint32_t state = 1;
	for (size_t i = 0; i < length; i++) {
		state = state * 1664525u + 1013904223u;
		bytes[i] = (char)(state >> 24);
	}
	bytes[length] = '\0';
	return bytes;
}
