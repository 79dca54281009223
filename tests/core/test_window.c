/* Holds the arithmetic of slots to what the online counter needs of it: no moment without a slot, no
 * slot that dies while it is asked for, no visitor who stays and is missed. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/core/items/window.h"

#define NOW_MS 1763688000250ull

static const mcp_window windows[] = {{300, 5}, {300, 1}, {60, 60}, {2, 1}, {1, 1}, {86400, 24}};
#define WINDOWS (sizeof(windows) / sizeof(windows[0]))

static void a_window_that_slots_do_not_divide_is_refused(void **state) {
	(void)state;
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

static void a_slot_begins_where_the_one_before_it_ends(void **state) {
	(void)state;
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
static void a_slot_lives_through_its_last_use_and_a_second_more(void **state) {
	(void)state;
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

static void who_stays_is_in_every_sum_once(void **state) {
	(void)state;
	for (size_t i = 0; i < WINDOWS; i++) {
		uint64_t counted[1000] = {0}, last = 0;
		for (uint64_t slot = 0; slot < 1000; slot++) {
			if (slot == 0 || mcp_window_counts_again(&windows[i], last, slot)) {
				counted[slot] = 1;
				last = slot;
			}
		}
		for (uint64_t now = windows[i].slots; now < 1000; now++) {
			uint64_t sum = 0;
			for (uint64_t back = 1; back <= windows[i].slots; back++) {
				sum += counted[now - back];
			}
			assert_int_equal(1, sum);
		}
	}
}

static void a_mark_from_another_clock_or_other_settings_harms_nobody(void **state) {
	(void)state;
	const mcp_window window = {300, 5};
	assert_false(mcp_window_counts_again(&window, 1001, 1000));
	assert_false(mcp_window_counts_again(&window, 1005, 1000));
	assert_true(mcp_window_counts_again(&window, 1006, 1000));
	assert_true(mcp_window_counts_again(&window, UINT64_MAX, 1000));
	assert_true(mcp_window_counts_again(&window, 0, UINT64_MAX));
}

static const mcp_window five_minutes = {300, 5};

static uint64_t share_after(uint64_t elapsed_ms, uint64_t counted, uint64_t stayed,
	uint64_t returned) {
	uint64_t start_ms = mcp_window_slot_start_s(&five_minutes, 1000) * 1000;
	const mcp_window_oldest oldest = {counted, stayed, returned};
	return mcp_window_oldest_share(&five_minutes, start_ms + elapsed_ms, &oldest);
}

static void the_oldest_slots_share_shrinks_evenly_to_nothing(void **state) {
	(void)state;
	assert_int_equal(600, share_after(0, 600, 0, 0));
	assert_int_equal(450, share_after(15000, 600, 0, 0));
	assert_int_equal(300, share_after(30000, 600, 0, 0));
	assert_int_equal(0, share_after(59999, 600, 0, 0));
	assert_int_equal(1, share_after(29999, 1, 0, 0));
	assert_int_equal(0, share_after(30001, 1, 0, 0));
}

static void who_has_returned_has_no_share(void **state) {
	(void)state;
	assert_int_equal(200, share_after(30000, 600, 0, 200));
	assert_int_equal(0, share_after(30000, 600, 0, 600));
	assert_int_equal(0, share_after(0, 600, 600, 700));
}

static void who_stayed_before_is_expected_again_but_not_for_ever(void **state) {
	(void)state;
	assert_int_equal(600, share_after(0, 600, 600, 0));
	assert_int_equal(600, share_after(30000, 600, 600, 0));
	assert_int_equal(300, share_after(45000, 600, 600, 0));
	assert_int_equal(0, share_after(59999, 600, 600, 0));
	assert_int_equal(200 + 150, share_after(30000, 600, 300, 100));
	assert_int_equal(0, share_after(0, 0, 100, 0));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_that_slots_do_not_divide_is_refused),
		cmocka_unit_test(a_slot_begins_where_the_one_before_it_ends),
		cmocka_unit_test(a_slot_lives_through_its_last_use_and_a_second_more),
		cmocka_unit_test(who_stays_is_in_every_sum_once),
		cmocka_unit_test(a_mark_from_another_clock_or_other_settings_harms_nobody),
		cmocka_unit_test(the_oldest_slots_share_shrinks_evenly_to_nothing),
		cmocka_unit_test(who_has_returned_has_no_share),
		cmocka_unit_test(who_stayed_before_is_expected_again_but_not_for_ever),
	};
	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
