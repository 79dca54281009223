/* Keys cut by the store that has them: each once, in the caller's order, and all of it again when the owners are filled
 * in anew. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/store/cluster/sorting.h"

enum { KEYS = 5 };

static void each_key_is_handed_over_once_and_in_order(void **state) {
	(void)state;
	mcp_store a, b;
	mcp_store *owners[KEYS] = {&b, &a, &b, &b, &a};
	const size_t expected[KEYS] = {0, 2, 3, 1, 4};
	mcp_buffer room = {0};
	mcp_sorting sorting;
	assert_true(mcp_sorting_prepare(&sorting, &room, KEYS, sizeof(int)));
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < KEYS; i++) {
			sorting.owners[i] = owners[i];
		}
		assert_ptr_equal(&b, mcp_sorting_next(&sorting, KEYS));
		assert_int_equal(3, sorting.handed);
		assert_memory_equal(expected, sorting.places, 3 * sizeof(size_t));
		assert_ptr_equal(&a, mcp_sorting_next(&sorting, KEYS));
		assert_int_equal(2, sorting.handed);
		assert_memory_equal(expected + 3, sorting.places, 2 * sizeof(size_t));
		assert_memory_equal(expected, sorting.all_places, sizeof(expected));
		assert_null(mcp_sorting_next(&sorting, KEYS));
	}
	mcp_buffer_free(&room);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_key_is_handed_over_once_and_in_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
