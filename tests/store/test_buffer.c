/* Memory that is kept for the next use: an ordinary buffer's always, a giant's for the two uses behind it. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/buffer.h"

#define GIANT (MCP_BUFFER_KEPT_MAX + 1)

static void use(mcp_buffer *buffer, size_t bytes) {
	assert_true(mcp_buffer_use(buffer, bytes));
	assert_int_equal(bytes, buffer->length);
	memset(buffer->data, 'x', bytes);
}

static void what_is_kept_stays_however_often_it_is_used(void **state) {
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

static void a_giant_stays_for_two_uses(void **state) {
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

static void every_other_use_keeps_a_giant(void **state) {
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
static void a_trimmed_giant_is_gone_at_once(void **state) {
	mcp_buffer buffer = {0};
	use(&buffer, GIANT);
	mcp_buffer_trim(&buffer);
	assert_null(buffer.data);
	use(&buffer, 1);
	mcp_buffer_trim(&buffer);
	assert_non_null(buffer.data);
	mcp_buffer_free(&buffer);
}

static void more_than_there_may_be_changes_nothing(void **state) {
	mcp_buffer buffer = {0};
	use(&buffer, 3);
	assert_false(mcp_buffer_reserve(&buffer, SIZE_MAX - 2));
	assert_int_equal(3, buffer.length);
	assert_memory_equal("xxx", buffer.data, 3);
	mcp_buffer_free(&buffer);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_kept_stays_however_often_it_is_used),
		cmocka_unit_test(a_giant_stays_for_two_uses),
		cmocka_unit_test(every_other_use_keeps_a_giant),
		cmocka_unit_test(a_trimmed_giant_is_gone_at_once),
		cmocka_unit_test(more_than_there_may_be_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
