/* Feeds the readers of an event log's items and cursors arbitrary bytes, and records with a right check. The parts
 * read lie within what was given, and are written again as they were. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/items/item_head.h"
#include "../../src/core/items/log_record.h"

/* Copies to a heap block of exactly this length: a sanitizer sees every byte read beyond it. */
static char *copy_of(const uint8_t *data, size_t size) {
	char *copy = malloc(size > 0 ? size : 1);
	require(copy != NULL);
	if (size > 0) {
		memcpy(copy, data, size);
	}
	return copy;
}

static void read_records(mcp_bytes item) {
	mcp_log_record record;
	size_t at = 0, before = 0;
	while (mcp_log_record_read(item, &at, &record) == MCP_LOG_RECORD) {
		require(at > before && at <= item.length);
		require(record.payload.data >= item.data + before && record.flags <= 0xFFFF);
		require(record.payload.data + record.payload.length <= item.data + at);
		char *again = malloc(record.content.length);
		require(again != NULL);
		mcp_bytes written = mcp_log_record_write(&record, again);
		require(mcp_bytes_equal(written, record.content));
		free(again);
		before = at;
	}
	require(at == before);
}

static void read_cursor(mcp_bytes text) {
	mcp_log_cursor cursor;
	char again[MCP_LOG_CURSOR_MAX];
	if (mcp_log_cursor_read(text, &cursor)) {
		size_t length = mcp_log_cursor_write(&cursor, again);
		require(mcp_bytes_equal(mcp_bytes_of(again, length), text));
	}
}

/* Reads a right record around the bytes, then one with a byte changed. */
static void read_right_and_damaged(const uint8_t *data, size_t size) {
	size_t length = mcp_log_record_length(size, false);
	char *item = malloc(length);
	require(item != NULL);
	const mcp_log_record record = {.time_ms = size,
		.flags = 4,
		.payload = {(const char *)data, size}};
	mcp_log_record_write(&record, item);
	read_records(mcp_bytes_of(item, length));
	size_t at = 0;
	mcp_log_record read;
	require(mcp_log_record_read(mcp_bytes_of(item, length), &at, &read) == MCP_LOG_RECORD);
	item[(size > 0 ? data[0] : 0) % length] ^= 1;
	at = 0;
	require(mcp_log_record_read(mcp_bytes_of(item, length), &at, &read) == MCP_LOG_DAMAGED);
	free(item);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	char *copy = copy_of(data, size);
	mcp_bytes bytes = mcp_bytes_of(copy, size);
	mcp_append_head head;
	mcp_append_head_read(bytes, MCP_APPEND_LOG, &head);
	read_records(bytes);
	read_cursor(bytes);
	read_right_and_damaged(data, size);
	free(copy);
	return 0;
}
