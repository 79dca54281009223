/* The parts of an event log's items: what is written is read, and what is damaged is not. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/core/items/item_head.h"
#include "../../src/core/items/log_record.h"

TEST(a_head_is_read_as_it_was_written) {
	static const uint64_t ends[] = {0, 1800000000000, MCP_APPEND_NEVER_MS};
	char out[MCP_APPEND_HEAD_LENGTH];
	for (size_t i = 0; i < 3; i++) {
		mcp_append_head head = {MCP_APPEND_SET, ends[i], UINT64_MAX - i}, read;
		mcp_append_head_write(&head, out);
		mcp_bytes item = mcp_bytes_of(out, sizeof(out));
		assert_true(mcp_append_head_read(item, MCP_APPEND_SET, &read));
		assert_true(read.end_ms == head.end_ms && read.id == head.id);
		assert_false(mcp_append_head_read(item, MCP_APPEND_LOG, &read));
		item.length--;
		assert_false(mcp_append_head_read(item, MCP_APPEND_SET, &read));
		out[1] = 2; /* a version to come */
		assert_false(mcp_append_head_read(mcp_bytes_of(out, 16), MCP_APPEND_SET, &read));
	}
}

TEST(an_endless_head_does_not_wrap) {
	char out[MCP_APPEND_HEAD_LENGTH];
	mcp_append_head head = {MCP_APPEND_SET, UINT64_MAX, 1}, read;
	mcp_append_head_write(&head, out);
	assert_true(mcp_append_head_read(mcp_bytes_of(out, sizeof(out)), MCP_APPEND_SET, &read));
	assert_true(read.end_ms == MCP_APPEND_NEVER_MS);
}

/* Writes two records, the second signed; returns the length. */
static size_t write_two(char *out) {
	mcp_log_record first = {.time_ms = 1800000000123,
		.flags = 0x14,
		.payload = mcp_bytes_text("one")};
	mcp_log_record second = {.time_ms = 7, .is_signed = true, .payload = mcp_bytes_none()};
	size_t length = mcp_log_record_write(&first, out).length;
	mcp_bytes content = mcp_log_record_write(&second, out + length);
	assert_ptr_equal(out + length, content.data);
	memset(out + length + content.length, 0x5A, MCP_SIGNATURE_LENGTH);
	return length + mcp_log_record_length(0, true);
}

TEST(records_are_read_one_behind_the_other) {
	char out[200];
	mcp_bytes item = mcp_bytes_of(out, write_two(out));
	mcp_log_record read;
	size_t at = 0;
	assert_int_equal(MCP_LOG_RECORD, mcp_log_record_read(item, &at, &read));
	assert_true(mcp_bytes_equal(mcp_bytes_text("one"), read.payload));
	assert_true(read.time_ms == 1800000000123 && read.flags == 0x14 && !read.is_signed);
	assert_int_equal(MCP_LOG_RECORD, mcp_log_record_read(item, &at, &read));
	assert_true(read.is_signed && read.payload.length == 0 && read.time_ms == 7);
	assert_int_equal(0x5A, read.signature[MCP_SIGNATURE_LENGTH - 1]);
	assert_int_equal(item.length, at);
	assert_int_equal(MCP_LOG_END, mcp_log_record_read(item, &at, &read));
}

TEST(a_record_with_any_byte_changed_or_missing_is_damaged) {
	char out[200];
	mcp_log_record read;
	size_t first = mcp_log_record_length(3, false);
	write_two(out);
	for (size_t i = 0; i < first; i++) {
		size_t at = 0;
		out[i] ^= 0x20;
		assert_int_equal(MCP_LOG_DAMAGED,
			mcp_log_record_read(mcp_bytes_of(out, first), &at, &read));
		assert_int_equal(0, at);
		out[i] ^= 0x20;
		char *cut = malloc(i + 1); /* its own block: a sanitizer sees what is read beyond it */
		memcpy(cut, out, i + 1);
		if (i + 1 < first) {
			assert_int_equal(MCP_LOG_DAMAGED,
				mcp_log_record_read(mcp_bytes_of(cut, i + 1), &at, &read));
		}
		free(cut);
	}
}

TEST(a_cursor_is_read_as_it_was_written) {
	static const mcp_log_cursor cursors[] = {
		{UINT64_MAX, UINT64_MAX, {UINT64_MAX, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}},
		{0, 0, {0, 0}, {0, 0}},
		{0x0102030405060708, 180000001, {0, 0}, {1, 16}},
	};
	char out[MCP_LOG_CURSOR_MAX];
	for (size_t i = 0; i < 3; i++) {
		mcp_log_cursor read;
		size_t length = mcp_log_cursor_write(&cursors[i], out);
		assert_true(mcp_log_cursor_read(mcp_bytes_of(out, length), &read));
		assert_memory_equal(&cursors[i], &read, sizeof(read));
	}
	mcp_bytes last = mcp_bytes_of(out, mcp_log_cursor_write(&cursors[2], out));
	assert_true(mcp_bytes_equal(
		mcp_bytes_text("log1:0102030405060708:180000001:0000000000000000:0:0000000000000001:16"),
		last));
}

TEST(nothing_else_is_a_cursor) {
	static const char *const others[] = {"", "log1",
		"log1:", "log2:0102030405060708:1:0000000000000000:0:0000000000000000:0",
		"log1:0102030405060708:01:0000000000000000:0:0000000000000000:0",
		"log1:0102030405060708:1 :0000000000000000:0:0000000000000000:0",
		"log1:0102030405060708:1:0000000000000000:0:0000000000000000:0:",
		"log1:0102030405060708:1:0000000000000000:0:0000000000000000:16",
		"log1:0102030405060708:1:0000000000000001:0:0000000000000000:0",
		"log1:010203040506070:1:0000000000000000:0:0000000000000000:0",
		"log1:010203040506070A:1:0000000000000000:0:0000000000000000:0",
		"log1:0102030405060708:18446744073709551616:0000000000000000:0:0000000000000000:0",
		"log1:0102030405060708:1:0000000000000000:0:0000000000000000"};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		mcp_log_cursor read;
		assert_false(mcp_log_cursor_read(mcp_bytes_text(others[i]), &read));
	}
}
