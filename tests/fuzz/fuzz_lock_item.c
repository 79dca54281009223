/* Feeds the reader of a lock's item arbitrary values, raw and behind the mark. An item that is read must be
 * what would be written. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/holders/holders.h"

static const char mark[] = "lock1 ";
enum { MARK_LENGTH = sizeof(mark) - 1 };

/* Reads from a heap block of exactly the value's length: a sanitizer sees every byte read beyond it. */
static void read_value(mcp_bytes before, const uint8_t *bytes, size_t size) {
	size_t length = before.length + size;
	char *value = malloc(length > 0 ? length : 1);
	require(value != NULL);
	memcpy(value, before.length > 0 ? before.data : mark, before.length);
	if (size > 0) {
		memcpy(value + before.length, bytes, size);
	}
	mcp_lock_item item;
	if (mcp_lock_item_read(mcp_bytes_of(value, length), &item)) {
		char head[MCP_LOCK_ITEM_HEAD_MAX];
		mcp_holder_label label;
		bool is_named = item.holder.machine != 0;
		if (is_named) {
			mcp_holder_label_write(&item.holder, &label);
		}
		size_t written = mcp_lock_item_write_head(&item, is_named ? &label : NULL, head);
		require(item.owner.length > 0 && item.stamp != 0);
		require(item.owner.data == value + written && written + item.owner.length == length);
		require(memcmp(head, value, written) == 0);
	}
	free(value);
}

/* Keeps as much of a right head as the first byte says, so that what stands behind is reached. */
static void read_behind_a_right_head(const uint8_t *data, size_t size) {
	static const char nameless[] = "lock1 1795280254123 0f1e2d3c4b5a6978 ";
	static const char naming[] =
		"lock2 5be2f0a41c9d3377 4711 81234567 3 1795280254123 0f1e2d3c4b5a6978 ";
	size_t kept = size > 0 ? data[0] : 0;
	read_value(mcp_bytes_of(nameless, kept % sizeof(nameless)), data, size);
	read_value(mcp_bytes_of(naming, kept % sizeof(naming)), data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	read_value(mcp_bytes_none(), data, size);
	read_value(mcp_bytes_of(mark, MARK_LENGTH), data, size);
	read_behind_a_right_head(data, size);
	return 0;
}
