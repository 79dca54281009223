/* The value of a lock's item: what is written is read, and nothing else is. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/core/holders/holders.h"

static mcp_bytes write_whole(const mcp_lock_item *item, char *out) {
	mcp_holder_label label;
	bool is_named = item->holder.machine != 0;
	if (is_named) {
		mcp_holder_label_write(&item->holder, &label);
	}
	size_t head = mcp_lock_item_write_head(item, is_named ? &label : NULL, out);
	memcpy(out + head, item->owner.data, item->owner.length);
	return mcp_bytes_of(out, head + item->owner.length);
}

TEST(it_is_one_readable_line) {
	char out[200];
	mcp_lock_item item = {
		.owner = mcp_bytes_text("request 17"),
		.stamp = 0x0F1E2D3C4B5A6978,
		.until_ms = 1795280254123,
	};
	mcp_bytes value = write_whole(&item, out);
	const char *expected = "lock1 1795280254123 0f1e2d3c4b5a6978 request 17";
	assert_true(mcp_bytes_equal(mcp_bytes_text(expected), value));
	item.until_ms = MCP_LOCK_ITEM_NEVER;
	value = write_whole(&item, out);
	assert_true(mcp_bytes_equal(mcp_bytes_text("lock1 never 0f1e2d3c4b5a6978 request 17"), value));
}

TEST(it_may_name_its_process) {
	char out[200];
	mcp_lock_item item = {mcp_bytes_text("request 17"), 0x0F1E2D3C4B5A6978, 1795280254123,
		{.machine = 0x5BE2F0A41C9D3377, .start = 81234567, .pid = 4711, .record = 31415926530003}};
	mcp_bytes value = write_whole(&item, out);
	const char *expected =
		"lock2 5be2f0a41c9d3377 4711 81234567 31415926530003 1795280254123 0f1e2d3c4b5a6978 request 17";
	assert_true(mcp_bytes_equal(mcp_bytes_text(expected), value));
}

TEST(what_is_written_is_read) {
	static const uint64_t ends[] = {0, 1, 1795280254123, INT64_MAX, MCP_LOCK_ITEM_NEVER};
	static const uint64_t stamps[] = {1, UINT64_MAX, 0xA000000000000000};
	const mcp_bytes owners[] = {mcp_bytes_text("a"), mcp_bytes_text(" "),
		mcp_bytes_of("\0\r\n ", 4), mcp_bytes_text("lock1 never 0000000000000001 a")};
	for (size_t i = 0; i < 5 * 3 * 4; i++) {
		mcp_lock_item read,
			item = {
				.owner = owners[i % 4],
				.stamp = stamps[i / 4 % 3],
				.until_ms = ends[i / 12],
			};
		char out[200];
		assert_true(mcp_lock_item_read(write_whole(&item, out), &read));
		assert_true(mcp_bytes_equal(item.owner, read.owner));
		assert_true(item.stamp == read.stamp && item.until_ms == read.until_ms);
		assert_true(read.holder.machine == 0);
	}
}

TEST(a_process_that_is_written_is_read) {
	static const mcp_holder_name names[] = {
		{.machine = 1, .pid = 1},
		{.machine = UINT64_MAX, .start = 1, .pid = 2, .record = 1},
		{UINT64_MAX, MCP_HOLDER_START_MAX, MCP_HOLDER_PID_MAX, MCP_HOLDER_RECORD_MAX},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		mcp_lock_item item = {mcp_bytes_text("a"), UINT64_MAX, MCP_LOCK_ITEM_NEVER - i, names[i]},
					  read;
		char out[200];
		assert_true(mcp_lock_item_read(write_whole(&item, out), &read));
		assert_true(read.holder.machine == names[i].machine && read.holder.pid == names[i].pid);
		assert_true(read.holder.start == names[i].start && read.holder.record == names[i].record);
		assert_true(mcp_bytes_equal(mcp_bytes_text("a"), read.owner) && read.stamp == UINT64_MAX);
	}
}

TEST(nothing_else_is_read) {
	static const char *const values[] = {
		"",
		"lock1",
		"lock1 ",
		"lock1 1 0f1e2d3c4b5a6978",
		"lock1 1 0f1e2d3c4b5a6978 ",
		"lock1  0f1e2d3c4b5a6978 a",
		"lock1 -1 0f1e2d3c4b5a6978 a",
		"lock1 +1 0f1e2d3c4b5a6978 a",
		"lock1 01 0f1e2d3c4b5a6978 a",
		"lock1 1x 0f1e2d3c4b5a6978 a",
		"lock1 9223372036854775808 0f1e2d3c4b5a6978 a",
		"lock1 99999999999999999999999 0f1e2d3c4b5a6978 a",
		"lock1 Never 0f1e2d3c4b5a6978 a",
		"lock1 1 0F1E2D3C4B5A6978 a",
		"lock1 1 0f1e2d3c4b5a697 a",
		"lock1 1 0f1e2d3c4b5a69788 a",
		"lock1 1 0000000000000000 a",
		"lock2 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d3377",
		"lock2 5be2f0a41c9d3377 ",
		"lock2 5be2f0a41c9d3377 4711 81234567 3",
		"lock2 5be2f0a41c9d3377 4711 81234567 3 ",
		"lock2 5be2f0a41c9d3377 4711 81234567 3 1 0f1e2d3c4b5a6978",
		"lock2 5be2f0a41c9d3377 4711 81234567 3 1 0f1e2d3c4b5a6978 ",
		"lock2 0000000000000000 4711 81234567 3 1 0f1e2d3c4b5a6978 a",
		"lock2 5BE2F0A41C9D3377 4711 81234567 3 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d337 4711 81234567 3 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d3377 0 81234567 3 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d3377 04711 81234567 3 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d3377 4194304 81234567 3 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d3377 4711 68719476736 3 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d3377 4711 81234567 42949672960000 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d3377 4711  81234567 3 1 0f1e2d3c4b5a6978 a",
		"lock2 5be2f0a41c9d3377 4711 81234567 -3 1 0f1e2d3c4b5a6978 a",
		"lock1 5be2f0a41c9d3377 4711 81234567 3 1 0f1e2d3c4b5a6978 a",
		"lock3 1 0f1e2d3c4b5a6978 a",
		"0123456789abcdef0123456789abcdef",
	};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		mcp_lock_item item;
		assert_false(mcp_lock_item_read(mcp_bytes_text(values[i]), &item));
	}
}
