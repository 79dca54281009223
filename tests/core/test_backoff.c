/* Holds the pauses to their bounds over many random numbers and their extremes: of a wait, an eighth of it;
 * after a lost race between base and cap, at most three times the last, never past the deadline. */
/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <cmocka.h>

#include "../../src/core/backoff.h"

#define FAR_MS UINT64_MAX

/* Draws a fixed sequence (splitmix64, S. Vigna): the same in every run. */
static uint64_t next_random(uint64_t *seed) {
	uint64_t mixed = *seed += 0x9E3779B97F4A7C15u;
	mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
	mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
	return mixed ^ mixed >> 31;
}

static void assert_bounded(mcp_backoff backoff, uint32_t base_ms, uint32_t cap_ms) {
	uint64_t seed = 1;
	uint32_t last_ms = base_ms, smallest_ms = UINT32_MAX, largest_ms = 0;
	for (int i = 0; i < 100000; i++) {
		uint32_t pause_ms = mcp_backoff_next_ms(&backoff, next_random(&seed), 0, FAR_MS);
		assert_true(pause_ms >= base_ms && pause_ms <= cap_ms);
		assert_true(pause_ms <= last_ms * 3);
		smallest_ms = pause_ms < smallest_ms ? pause_ms : smallest_ms;
		largest_ms = pause_ms > largest_ms ? pause_ms : largest_ms;
		last_ms = pause_ms;
	}
	assert_int_equal(base_ms, smallest_ms);
	assert_int_equal(cap_ms, largest_ms);
}

/* waited_ms of every size up to two seconds, each with many random numbers. */
TEST(waiting_pauses_are_a_half_to_a_whole_eighth_of_what_was_waited) {
	uint64_t seed = 1;
	for (uint64_t waited_ms = 32; waited_ms <= 800; waited_ms++) {
		assert_int_equal(waited_ms / 8 / 2, mcp_backoff_waiting_ms(waited_ms, 0));
		assert_int_equal(waited_ms / 8, mcp_backoff_waiting_ms(waited_ms, UINT64_MAX));
		for (int i = 0; i < 100; i++) {
			uint32_t pause_ms = mcp_backoff_waiting_ms(waited_ms, next_random(&seed));
			assert_in_range(pause_ms, waited_ms / 8 / 2, waited_ms / 8);
		}
	}
}

TEST(waiting_pauses_are_never_below_2_ms_nor_above_100_ms) {
	for (uint64_t waited_ms = 0; waited_ms < 16; waited_ms++) {
		assert_int_equal(2, mcp_backoff_waiting_ms(waited_ms, 0));
		assert_int_equal(2, mcp_backoff_waiting_ms(waited_ms, UINT64_MAX));
	}
	const uint64_t long_ms[] = {800, 5000, UINT32_MAX, UINT64_MAX};
	for (int i = 0; i < 4; i++) {
		assert_int_equal(50, mcp_backoff_waiting_ms(long_ms[i], 0));
		assert_int_equal(100, mcp_backoff_waiting_ms(long_ms[i], UINT64_MAX));
	}
}

typedef uint64_t (*random_source)(uint64_t *seed);

static uint64_t always_smallest(uint64_t *seed) {
	return 0;
}

static uint64_t always_largest(uint64_t *seed) {
	return UINT64_MAX;
}

/* Counts the first look, and one after each pause. */
static unsigned looks_in_2500_ms(random_source random, uint64_t *seed) {
	unsigned looks = 1;
	for (uint64_t waited_ms = 0; waited_ms < 2500; looks++) {
		waited_ms += mcp_backoff_waiting_ms(waited_ms, random(seed));
	}
	return looks;
}

TEST(a_wait_of_2500_ms_looks_61_to_108_times_and_77_on_average) {
	uint64_t seed = 3;
	assert_int_equal(108, looks_in_2500_ms(always_smallest, &seed));
	assert_int_equal(61, looks_in_2500_ms(always_largest, &seed));
	unsigned looks = 0;
	for (int i = 0; i < 10000; i++) {
		looks += looks_in_2500_ms(next_random, &seed);
	}
	assert_in_range(looks, 76 * 10000, 78 * 10000);
}

TEST(contention_stays_between_1_and_20_ms_and_reaches_both) {
	assert_bounded(mcp_backoff_for_contention(), 1, 20);
}

TEST(the_largest_random_numbers_triple_up_to_the_cap) {
	const uint32_t expected_ms[] = {3, 9, 20, 20};
	mcp_backoff backoff = mcp_backoff_for_contention();
	for (int i = 0; i < 4; i++) {
		assert_int_equal(expected_ms[i], mcp_backoff_next_ms(&backoff, UINT64_MAX, 0, FAR_MS));
	}
}

TEST(the_smallest_random_number_goes_back_to_the_base) {
	mcp_backoff backoff = mcp_backoff_for_contention();
	mcp_backoff_next_ms(&backoff, UINT64_MAX, 0, FAR_MS);
	assert_int_equal(1, mcp_backoff_next_ms(&backoff, 0, 0, FAR_MS));
}

TEST(a_pause_never_passes_the_deadline) {
	mcp_backoff backoff = mcp_backoff_for_contention();
	assert_int_equal(2, mcp_backoff_next_ms(&backoff, UINT64_MAX, 1000, 1002));
	assert_int_equal(0, mcp_backoff_next_ms(&backoff, UINT64_MAX, 1000, 1000));
	assert_int_equal(0, mcp_backoff_next_ms(&backoff, UINT64_MAX, 1001, 1000));
	assert_int_equal(0, mcp_backoff_next_ms(&backoff, UINT64_MAX, UINT64_MAX, 0));
}

TEST(a_pause_cut_short_does_not_shorten_the_next) {
	mcp_backoff backoff = mcp_backoff_for_contention();
	assert_int_equal(1, mcp_backoff_next_ms(&backoff, UINT64_MAX, 0, 1));
	assert_int_equal(9, mcp_backoff_next_ms(&backoff, UINT64_MAX, 0, FAR_MS));
}

TEST(odd_settings_stay_within_the_cap) {
	mcp_backoff upside_down = {50, 20, 0};
	assert_int_equal(20, mcp_backoff_next_ms(&upside_down, UINT64_MAX, 0, FAR_MS));
	mcp_backoff largest = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
	assert_int_equal(UINT32_MAX, mcp_backoff_next_ms(&largest, UINT64_MAX, 0, FAR_MS));
	mcp_backoff nothing = {0, 0, 0};
	assert_int_equal(0, mcp_backoff_next_ms(&nothing, UINT64_MAX, 0, FAR_MS));
}

TEST(failure_pauses_double_from_100_ms_and_spread_by_half) {
	for (uint32_t failures = 1; failures <= 20; failures++) {
		uint32_t middle_ms = 100u << (failures - 1);
		assert_int_equal(middle_ms / 2, mcp_backoff_failure_pause_ms(failures, 0, UINT32_MAX));
		assert_int_equal(middle_ms, mcp_backoff_failure_pause_ms(failures, 1ull << 63, UINT32_MAX));
		assert_int_equal(middle_ms + middle_ms / 2,
			mcp_backoff_failure_pause_ms(failures, UINT64_MAX, UINT32_MAX));
	}
}

TEST(failure_pauses_are_capped_and_stay_spread_below_the_cap) {
	uint64_t seed = 2;
	bool is_spread = false;
	for (uint32_t failures = 1; failures < 70000; failures += 7) {
		uint32_t pause_ms = mcp_backoff_failure_pause_ms(failures, next_random(&seed), 10000);
		assert_true(pause_ms <= 10000 && pause_ms >= 50);
		assert_true(failures < 8 || pause_ms >= 5000);
		is_spread = is_spread || (failures > 1000 && pause_ms < 6000);
	}
	assert_true(is_spread);
	assert_int_equal(UINT32_MAX, mcp_backoff_failure_pause_ms(UINT32_MAX, UINT64_MAX, UINT32_MAX));
	assert_int_equal(0, mcp_backoff_failure_pause_ms(5, UINT64_MAX, 0));
}

TEST(no_failure_counts_as_the_first) {
	assert_int_equal(100, mcp_backoff_failure_pause_ms(0, 1ull << 63, UINT32_MAX));
}
