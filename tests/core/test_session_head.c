/* Holds the head of a session's payload to its bytes, and to what a writer finds itself by. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/core/session/session_parts.h"

static mcp_session_reading read_copy(const char *bytes, size_t length, mcp_session_head *head,
	size_t *data_length) {
	char *copy = malloc(length + 1);
	mcp_bytes data = {0};
	memcpy(copy, bytes, length);
	mcp_session_reading reading = mcp_session_head_read(mcp_bytes_of(copy, length), head, &data);
	*data_length = data.length;
	free(copy);
	return reading;
}

#define EXAMPLE "\x01\x02\x03\x02\x44\x33\x22\x11\x01\x00\x00\x80"

TEST(its_bytes_are_these) {
	char out[MCP_SESSION_HEAD_MAX];
	mcp_session_head head = {MCP_SESSION_PHP_SERIALIZE, true, true, 2, {0x11223344, 0x80000001}};
	assert_int_equal(12, mcp_session_head_write(&head, out));
	assert_memory_equal(EXAMPLE, out, 12);
	head = (mcp_session_head){.format = MCP_SESSION_PHP, .stamp_count = 1};
	assert_int_equal(8, mcp_session_head_write(&head, out));
	assert_memory_equal("\x01\x01\x00\x01\x00\x00\x00\x00", out, 8);
}

TEST(it_is_read_as_it_was_written) {
	mcp_session_head head;
	size_t length;
	assert_int_equal(MCP_SESSION_READ, read_copy(EXAMPLE "data", 16, &head, &length));
	assert_int_equal(4, length);
	assert_int_equal(MCP_SESSION_PHP_SERIALIZE, head.format);
	assert_true(head.is_whole && head.is_over_tombstone);
	assert_int_equal(2, head.stamp_count);
	assert_int_equal(0x11223344, head.stamps[0]);
	assert_int_equal(0x80000001, head.stamps[1]);
	assert_int_equal(MCP_SESSION_READ, read_copy(EXAMPLE, 12, &head, &length));
	assert_int_equal(0, length);
}

TEST(what_is_cut_is_none) {
	mcp_session_head head;
	size_t unused;
	for (size_t length = 0; length < 12; length++) {
		assert_int_equal(MCP_SESSION_NONE, read_copy(EXAMPLE, length, &head, &unused));
	}
}

TEST(what_lies_is_none_and_what_is_not_known_is_newer) {
	mcp_session_head head;
	size_t unused;
	assert_int_equal(MCP_SESSION_NONE, read_copy("\x00\x01\x00\x01zzzz", 8, &head, &unused));
	assert_int_equal(MCP_SESSION_NONE, read_copy("\x01\x01\x00\x00zzzz", 8, &head, &unused));
	assert_int_equal(MCP_SESSION_NONE,
		read_copy("\x01\x01\x00\x09zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", 40, &head, &unused));
	assert_int_equal(MCP_SESSION_NEWER, read_copy("\x02\x01\x00\x01zzzz", 8, &head, &unused));
	assert_int_equal(MCP_SESSION_NEWER, read_copy("\x01\x06\x00\x01zzzz", 8, &head, &unused));
	assert_int_equal(MCP_SESSION_NEWER, read_copy("\x01\x01\x04\x01zzzz", 8, &head, &unused));
}

TEST(the_newest_stamp_is_first_and_the_oldest_falls_out) {
	mcp_session_head head = {.stamp_count = 0}, before = {.stamp_count = 0};
	for (uint32_t stamp = 1; stamp <= 12; stamp++) {
		mcp_session_head_descend(&head, stamp, &before);
		assert_int_equal(stamp < 8 ? stamp : 8, head.stamp_count);
		assert_int_equal(stamp, head.stamps[0]);
		assert_true(mcp_session_head_has(&head, stamp));
		assert_int_equal(stamp > 7, mcp_session_head_has(&head, stamp - 7) && stamp > 7);
		assert_false(mcp_session_head_has(&head, stamp < 9 ? 0 : stamp - 8));
		before = head;
	}
	/* A writer may descend from itself. */
	mcp_session_head_descend(&head, 99, &head);
	assert_int_equal(99, head.stamps[0]);
	assert_int_equal(12, head.stamps[1]);
	assert_int_equal(6, head.stamps[7]);
}
