/* Writes and reads "lock1 <until> <stamp> <owner>" and "lock2 <machine> <pid> <start> <record> <until>
 * <stamp> <owner>". Only the exact notation is accepted, so that no other client's value counts as a lock. */
/* SPDX-License-Identifier: MIT */
#include "lock_item.h"

#include "../decimal.h"
#include "../bytes.h"

static const char nameless[] = "lock1 ";
static const char naming[] = "lock2 ";
static const char never[] = "never";

enum {
	MARK_LENGTH = sizeof(nameless) - 1,
	NEVER_LENGTH = sizeof(never) - 1,
	STAMP_LENGTH = MCP_HEX_U64_LENGTH,
};

static size_t write_until(uint64_t until_ms, char *out) {
	if (until_ms > INT64_MAX) {
		memcpy(out, never, NEVER_LENGTH);
		return NEVER_LENGTH;
	}
	return mcp_decimal_format_u64(until_ms, out);
}

size_t mcp_lock_item_write_head(const mcp_lock_item *item, const mcp_holder_label *label,
	char head[MCP_LOCK_ITEM_HEAD_MAX]) {
	char *at = head;
	memcpy(at, label != NULL ? naming : nameless, MARK_LENGTH);
	at += MARK_LENGTH;
	if (label != NULL) {
		memcpy(at, label->text, sizeof(label->text));
		at += label->length;
	}
	at += write_until(item->until_ms, at);
	*at++ = ' ';
	at += mcp_hex_write_u64(item->stamp, at);
	*at++ = ' ';
	return (size_t)(at - head);
}

static bool read_until(mcp_bytes text, uint64_t *until_ms) {
	if (mcp_bytes_equal(text, mcp_bytes_of(never, NEVER_LENGTH))) {
		*until_ms = MCP_LOCK_ITEM_NEVER;
		return true;
	}
	int64_t number;
	if (!mcp_decimal_parse_i64(text, &number) || number < 0) {
		return false;
	}
	*until_ms = (uint64_t)number;
	return true;
}

/* Only one notation is valid: no sign, no leading zeros. */
static bool is_written_so(const mcp_lock_item *item, mcp_bytes head) {
	char again[MCP_LOCK_ITEM_HEAD_MAX];
	size_t length = mcp_lock_item_write_head(item, NULL, again) - MARK_LENGTH;
	return mcp_bytes_equal(mcp_bytes_of(again + MARK_LENGTH, length), head);
}

/* Parse the part after the mark and the process's name. */
static bool read_rest(mcp_bytes rest, mcp_lock_item *item) {
	const char *space = memchr(rest.data, ' ', rest.length);
	size_t until_length = space == NULL ? 0 : (size_t)(space - rest.data);
	size_t head_length = until_length + 1 + STAMP_LENGTH + 1;
	if (space == NULL || rest.length <= head_length ||
		!read_until(mcp_bytes_of(rest.data, until_length), &item->until_ms) ||
		!mcp_hex_read_u64(space + 1, &item->stamp) || item->stamp == 0) {
		return false;
	}
	item->owner = mcp_bytes_of(rest.data + head_length, rest.length - head_length);
	return is_written_so(item, mcp_bytes_of(rest.data, head_length));
}

bool mcp_lock_item_read(mcp_bytes value, mcp_lock_item *item) {
	if (value.length < MARK_LENGTH) {
		return false;
	}
	mcp_bytes rest = mcp_bytes_of(value.data + MARK_LENGTH, value.length - MARK_LENGTH);
	item->holder = (mcp_holder_name){0};
	if (memcmp(value.data, naming, MARK_LENGTH) == 0) {
		return mcp_holder_label_read(&rest, &item->holder) && read_rest(rest, item);
	}
	return memcmp(value.data, nameless, MARK_LENGTH) == 0 && read_rest(rest, item);
}
