/* Holds the arithmetic of slots to what the online counter needs of it: no moment without a slot, no
 * slot that dies while it is asked for, no visitor who stays and is missed. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/core/items/window.h"

#define NOW_MS 1763688000250ull

static const mcp_window windows[] = {{300, 5}, {300, 1}, {60, 60}, {2, 1}, {1, 1}, {86400, 24}};
#define WINDOWS (sizeof(windows) / sizeof(windows[0]))

TEST(a_window_that_slots_do_not_divide_is_refused) {
	assert_true(mcp_window_is_valid(300, 5));
	assert_true(mcp_window_is_valid(1, 1));
	assert_true(mcp_window_is_valid(60, 60));
	assert_false(mcp_window_is_valid(300, 7));
	assert_false(mcp_window_is_valid(300, 0));
	assert_false(mcp_window_is_valid(300, -5));
	assert_false(mcp_window_is_valid(4, 5));
	assert_false(mcp_window_is_valid(0, 1));
	assert_false(mcp_window_is_valid(-300, 5));
	assert_false(mcp_window_is_valid(INT64_MAX, 1));
}

TEST(a_slot_begins_where_the_one_before_it_ends) {
	for (size_t i = 0; i < WINDOWS; i++) {
		uint64_t slot = mcp_window_slot(&windows[i], NOW_MS);
		uint64_t start_ms = mcp_window_slot_start_s(&windows[i], slot) * 1000;
		uint64_t next_ms = mcp_window_slot_start_s(&windows[i], slot + 1) * 1000;
		assert_true(start_ms <= NOW_MS && NOW_MS < next_ms);
		assert_int_equal(windows[i].length_s / windows[i].slots * 1000, next_ms - start_ms);
		assert_int_equal(slot, mcp_window_slot(&windows[i], start_ms));
		assert_int_equal(slot - 1, mcp_window_slot(&windows[i], start_ms - 1));
	}
}

/* The last moment of slot s + slots is the last one that can ask for s. */
TEST(a_slot_lives_through_its_last_use_and_a_second_more) {
	for (size_t i = 0; i < WINDOWS; i++) {
		uint64_t slot = mcp_window_slot(&windows[i], NOW_MS);
		uint64_t unused_ms =
			mcp_window_slot_start_s(&windows[i], slot + windows[i].slots + 1) * 1000;
		assert_int_equal(unused_ms + 1000,
			NOW_MS + mcp_window_slot_ttl_ms(&windows[i], slot, NOW_MS));
		assert_int_equal(1, mcp_window_slot_ttl_ms(&windows[i], slot, unused_ms + 999));
		assert_int_equal(0, mcp_window_slot_ttl_ms(&windows[i], slot, unused_ms + 1000));
		assert_int_equal(0, mcp_window_slot_ttl_ms(&windows[i], slot, unused_ms + 5000));
	}
}

TEST(what_came_a_window_ago_is_in_the_window) {
	for (size_t i = 0; i < WINDOWS; i++) {
		uint64_t open = mcp_window_slot(&windows[i], NOW_MS);
		uint64_t before_ms = NOW_MS - windows[i].length_s * 1000ull;
		assert_true(mcp_window_has(&windows[i], open, open));
		assert_true(mcp_window_has(&windows[i], open, mcp_window_slot(&windows[i], before_ms)));
		assert_false(mcp_window_has(&windows[i], open, open - windows[i].slots - 1));
		assert_false(mcp_window_has(&windows[i], open, open + 1));
	}
	assert_false(mcp_window_has(&windows[0], 0, UINT64_MAX));
	assert_false(mcp_window_has(&windows[0], UINT64_MAX, 0));
}

static const mcp_window five_minutes = {300, 5};

static uint64_t share_after(uint64_t elapsed_ms, uint64_t counted) {
	uint64_t start_ms = mcp_window_slot_start_s(&five_minutes, 1000) * 1000;
	return mcp_window_oldest_share(&five_minutes, start_ms + elapsed_ms, counted);
}

TEST(the_oldest_slots_share_shrinks_evenly_to_nothing) {
	assert_int_equal(600, share_after(0, 600));
	assert_int_equal(450, share_after(15000, 600));
	assert_int_equal(300, share_after(30000, 600));
	assert_int_equal(0, share_after(59999, 600));
	assert_int_equal(1, share_after(29999, 1));
	assert_int_equal(0, share_after(30001, 1));
}
