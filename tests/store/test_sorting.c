/* Keys cut by the store that has them: each once, in the caller's order, and all of it again when the owners are filled
 * in anew. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/cluster/sorting.h"

enum { KEYS = 5, STORES = 4 };

TEST(each_key_is_in_one_run_and_in_order) {
	const uint32_t owners[KEYS] = {3, 1, 3, 3, 1};
	const size_t expected[KEYS] = {0, 2, 3, 1, 4};
	mcp_buffer room = {0};
	mcp_sorting sorting;
	assert_true(mcp_sorting_prepare(&sorting, &room, KEYS, STORES, sizeof(uint64_t)));
	memset(sorting.elements, 0xff, KEYS * sizeof(uint64_t));
	for (int round = 0; round < 3; round++) {
		memcpy(sorting.owners, owners, sizeof(owners));
		mcp_sorting_sort(&sorting);
		assert_int_equal(2, sorting.run_count);
		assert_int_equal(3, sorting.runs[0].owner);
		assert_int_equal(0, sorting.runs[0].from);
		assert_int_equal(3, sorting.runs[0].count);
		assert_int_equal(1, sorting.runs[1].owner);
		assert_int_equal(3, sorting.runs[1].from);
		assert_int_equal(2, sorting.runs[1].count);
		assert_memory_equal(expected, sorting.places, sizeof(expected));
	}
	mcp_buffer_free(&room);
}

TEST(every_store_may_have_one) {
	enum { MANY = 1000 };
	mcp_buffer room = {0};
	mcp_sorting sorting;
	assert_true(mcp_sorting_prepare(&sorting, &room, MANY, MANY, 0));
	for (uint32_t i = 0; i < MANY; i++) {
		sorting.owners[i] = MANY - 1 - i;
	}
	mcp_sorting_sort(&sorting);
	assert_int_equal(MANY, sorting.run_count);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(MANY - 1 - i, sorting.runs[i].owner);
		assert_int_equal(i, sorting.runs[i].from);
		assert_int_equal(1, sorting.runs[i].count);
		assert_int_equal(i, sorting.places[i]);
	}
	mcp_buffer_free(&room);
}

TEST(more_keys_than_there_may_be_find_no_room) {
	mcp_buffer room = {0};
	mcp_sorting sorting;
	assert_false(mcp_sorting_prepare(&sorting, &room, SIZE_MAX / 8, STORES, sizeof(uint64_t)));
	mcp_buffer_free(&room);
}
