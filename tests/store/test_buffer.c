/* Memory that is kept for the next use: an ordinary buffer's always, a giant's for the two uses behind it. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/store.h"

#define GIANT (MCP_BUFFER_KEPT_MAX + 1)

static void use(mcp_buffer *buffer, size_t bytes) {
	assert_true(mcp_buffer_use(buffer, bytes));
	assert_int_equal(bytes, buffer->length);
	memset(buffer->data, 'x', bytes);
}

TEST(what_is_kept_stays_however_often_it_is_used) {
	mcp_buffer buffer = {0};
	use(&buffer, MCP_BUFFER_KEPT_MAX);
	size_t capacity = buffer.capacity;
	assert_int_equal(MCP_BUFFER_KEPT_MAX, capacity);
	for (int i = 0; i < 5; i++) {
		use(&buffer, 1);
	}
	assert_int_equal(capacity, buffer.capacity);
	mcp_buffer_free(&buffer);
}

TEST(a_giant_stays_for_two_uses) {
	mcp_buffer buffer = {0};
	use(&buffer, GIANT);
	const char *data = buffer.data;
	for (int i = 0; i < 2; i++) {
		use(&buffer, 1);
		assert_ptr_equal(data, buffer.data);
		assert_true(buffer.capacity >= GIANT);
	}
	use(&buffer, 1);
	assert_true(buffer.capacity < GIANT);
	mcp_buffer_free(&buffer);
}

TEST(every_other_use_keeps_a_giant) {
	mcp_buffer buffer = {0};
	use(&buffer, GIANT);
	const char *data = buffer.data;
	for (int i = 0; i < 10; i++) {
		use(&buffer, i % 2 == 0 ? 1 : GIANT);
		assert_ptr_equal(data, buffer.data);
	}
	mcp_buffer_free(&buffer);
}

/* Trims as who knows that no such use will follow. */
TEST(a_trimmed_giant_is_gone_at_once) {
	mcp_buffer buffer = {0};
	use(&buffer, GIANT);
	mcp_buffer_trim(&buffer);
	assert_null(buffer.data);
	use(&buffer, 1);
	mcp_buffer_trim(&buffer);
	assert_non_null(buffer.data);
	mcp_buffer_free(&buffer);
}

TEST(more_than_there_may_be_changes_nothing) {
	mcp_buffer buffer = {0};
	use(&buffer, 3);
	assert_false(mcp_buffer_reserve(&buffer, SIZE_MAX - 2));
	assert_int_equal(3, buffer.length);
	assert_memory_equal("xxx", buffer.data, 3);
	mcp_buffer_free(&buffer);
}
