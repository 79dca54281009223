/* Holds the arithmetic of rate limits to what its header says: slots, waits, and the bucket's number at the edges. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <cmocka.h>

#include "../../src/core/items/window.h"
#define NOW_MS 1800000000000ull
#define NOW_US (NOW_MS * 1000)

static mcp_limit sliding(uint64_t limit, uint64_t period_ms, uint32_t slots) {
	return (mcp_limit){MCP_LIMITING_SLIDING_WINDOW, limit, period_ms, slots, limit};
}

static mcp_limit bucket(uint64_t limit, uint64_t period_ms, uint64_t burst) {
	return (mcp_limit){MCP_LIMITING_TOKEN_BUCKET, limit, period_ms, 10, burst};
}

TEST(slots_together_are_no_shorter_than_the_period) {
	for (uint64_t period_ms = 1000; period_ms < 1100; period_ms++) {
		for (uint32_t slots = 1; slots <= 10; slots++) {
			mcp_limit limit = sliding(1, period_ms, slots);
			assert_true(mcp_limit_slot_ms(&limit) * slots >= period_ms);
			assert_true((mcp_limit_slot_ms(&limit) - 1) * slots < period_ms);
		}
	}
}

TEST(a_window_is_a_slot_of_its_own) {
	mcp_limit limit = {MCP_LIMITING_FIXED_WINDOW, 5, 60000, 10, 5};
	assert_int_equal(60000, mcp_limit_slot_ms(&limit));
	assert_int_equal(1, mcp_limit_slots_summed(&limit));
	assert_int_equal(30000000, mcp_limit_slot(&limit, NOW_MS + 59999));
	assert_int_equal(30000001, mcp_limit_slot(&limit, NOW_MS + 60000));
	assert_int_equal(62000, mcp_limit_slot_ttl_ms(&limit, 30000000, NOW_MS));
}

/* The interval of a period that begins anywhere in a slot ends in one that still sums it up. */
TEST(a_slots_number_lives_through_its_last_use) {
	mcp_limit limit = sliding(5, 60000, 6);
	uint64_t slot = mcp_limit_slot(&limit, NOW_MS);
	assert_int_equal(7, mcp_limit_slots_summed(&limit));
	assert_int_equal(70000 + 2000, mcp_limit_slot_ttl_ms(&limit, slot, NOW_MS));
	assert_int_equal(62001, mcp_limit_slot_ttl_ms(&limit, slot, NOW_MS + 9999));
	assert_int_equal(1, mcp_limit_slot_ttl_ms(&limit, slot, NOW_MS + 71999));
	assert_int_equal(0, mcp_limit_slot_ttl_ms(&limit, slot, NOW_MS + 72000));
	assert_int_equal(0, mcp_limit_slot_ttl_ms(&limit, slot, NOW_MS + 999999));
}

static uint64_t wait_ms_for(const mcp_limit *limit, const uint64_t *numbers, uint64_t cost,
	uint64_t wall_ms) {
	uint64_t sum = 0;
	for (size_t i = 0; i < mcp_limit_slots_summed(limit); i++) {
		sum += numbers[i];
	}
	return mcp_limit_slots_wait_ms(limit, numbers, sum, cost, wall_ms);
}

static uint64_t wait_ms(const mcp_limit *limit, const uint64_t *numbers, uint64_t wall_ms) {
	return wait_ms_for(limit, numbers, 1, wall_ms);
}

TEST(a_wait_lasts_until_enough_slots_have_left) {
	mcp_limit limit = sliding(5, 30000, 3);
	assert_int_equal(0, wait_ms(&limit, (uint64_t[]){4, 0, 0, 0}, NOW_MS + 4000));
	assert_int_equal(6000, wait_ms(&limit, (uint64_t[]){4, 0, 0, 1}, NOW_MS + 4000));
	assert_int_equal(16000, wait_ms(&limit, (uint64_t[]){4, 0, 1, 0}, NOW_MS + 4000));
	assert_int_equal(36000, wait_ms(&limit, (uint64_t[]){5, 0, 0, 0}, NOW_MS + 4000));
	/* Too many, by attempts that are about to be taken back. */
	assert_int_equal(36000, wait_ms(&limit, (uint64_t[]){9, 3, 0, 0}, NOW_MS + 4000));
	assert_int_equal(10000, wait_ms(&limit, (uint64_t[]){0, 0, 0, 5}, NOW_MS));
	mcp_limit window = {MCP_LIMITING_FIXED_WINDOW, 5, 60000, 10, 5};
	assert_int_equal(0, wait_ms(&window, (uint64_t[]){4}, NOW_MS + 1));
	assert_int_equal(59999, wait_ms(&window, (uint64_t[]){500}, NOW_MS + 1));
}

TEST(a_cost_waits_until_there_is_room_for_all_of_it) {
	mcp_limit limit = sliding(5, 30000, 3);
	uint64_t numbers[] = {1, 0, 2, 1};
	assert_int_equal(0, wait_ms_for(&limit, numbers, 1, NOW_MS + 4000));
	assert_int_equal(6000, wait_ms_for(&limit, numbers, 2, NOW_MS + 4000));
	assert_int_equal(16000, wait_ms_for(&limit, numbers, 3, NOW_MS + 4000));
	assert_int_equal(16000, wait_ms_for(&limit, numbers, 4, NOW_MS + 4000));
	assert_int_equal(36000, wait_ms_for(&limit, numbers, 5, NOW_MS + 4000));
	mcp_limit window = {MCP_LIMITING_FIXED_WINDOW, 5, 60000, 10, 5};
	assert_int_equal(0, wait_ms_for(&window, (uint64_t[]){2}, 3, NOW_MS + 1));
	assert_int_equal(59999, wait_ms_for(&window, (uint64_t[]){2}, 4, NOW_MS + 1));
}

/* Uses up a bucket at one moment; how many it took. */
static uint64_t take_all(const mcp_limit *limit, uint64_t *stored_us, uint64_t now_us) {
	uint64_t taken = 0;
	uint64_t arrival_us;
	while (taken < 1000 && mcp_limit_bucket_takes(limit, *stored_us, now_us, 1, &arrival_us)) {
		*stored_us = arrival_us;
		taken++;
	}
	return taken;
}

TEST(a_bucket_takes_its_whole_burst_and_then_one_each_interval) {
	/* None divides its period evenly. */
	for (uint64_t limit_of = 1; limit_of < 50; limit_of++) {
		for (uint64_t burst = 1; burst < 20; burst++) {
			mcp_limit limit = bucket(limit_of, 1000, burst);
			uint64_t interval_us = mcp_limit_interval_us(&limit);
			assert_true(interval_us * limit_of >= 1000000);
			uint64_t stored_us = 0;
			assert_int_equal(burst, take_all(&limit, &stored_us, NOW_US));
			assert_int_equal(interval_us, mcp_limit_bucket_wait_us(&limit, stored_us, NOW_US, 1));
			assert_int_equal(0, take_all(&limit, &stored_us, NOW_US + interval_us - 1));
			assert_int_equal(1, take_all(&limit, &stored_us, NOW_US + interval_us));
			assert_int_equal(burst, take_all(&limit, &stored_us, NOW_US + 1000 * interval_us));
		}
	}
}

TEST(a_bucket_of_a_million_a_second_is_not_without_limit) {
	mcp_limit limit = bucket(1000000, 1000, 10);
	uint64_t stored_us = 0;
	assert_int_equal(1, mcp_limit_interval_us(&limit));
	assert_int_equal(10, take_all(&limit, &stored_us, NOW_US));
	limit = bucket(999999, 1000, 10);
	assert_int_equal(2, mcp_limit_interval_us(&limit));
}

TEST(what_remains_of_a_bucket_is_what_it_takes) {
	mcp_limit limit = bucket(7, 1000, 5);
	for (uint64_t busy_us = 0; busy_us < 2000000; busy_us += 7919) {
		uint64_t stored_us = NOW_US + busy_us;
		uint64_t remaining = mcp_limit_bucket_remaining(&limit, stored_us, NOW_US);
		uint64_t wait_us = mcp_limit_bucket_wait_us(&limit, stored_us, NOW_US, 1);
		assert_true((remaining == 0) == (wait_us > 0));
		uint64_t copy_us = stored_us;
		assert_int_equal(remaining, take_all(&limit, &copy_us, NOW_US));
		if (wait_us > 0) {
			assert_int_equal(0, take_all(&limit, &stored_us, NOW_US + wait_us - 1));
			assert_int_equal(1, take_all(&limit, &stored_us, NOW_US + wait_us));
		}
	}
}

TEST(a_cost_is_taken_whole_or_not) {
	mcp_limit limit = bucket(10, 1000, 10);
	uint64_t arrival_us;
	assert_true(mcp_limit_bucket_takes(&limit, 0, NOW_US, 10, &arrival_us));
	assert_int_equal(NOW_US + 1000000, arrival_us);
	assert_int_equal(1000 + 2000, mcp_limit_bucket_ttl_ms(arrival_us, NOW_US));
	assert_true(mcp_limit_bucket_takes(&limit, NOW_US + 600000, NOW_US, 4, &arrival_us));
	assert_false(mcp_limit_bucket_takes(&limit, NOW_US + 600000, NOW_US, 5, &arrival_us));
	assert_int_equal(0, mcp_limit_bucket_wait_us(&limit, NOW_US + 600000, NOW_US, 4));
	assert_int_equal(100000, mcp_limit_bucket_wait_us(&limit, NOW_US + 600000, NOW_US, 5));
	assert_int_equal(600000, mcp_limit_bucket_wait_us(&limit, NOW_US + 600000, NOW_US, 10));
}

/* A foreign number, or a clock that was years ahead. */
TEST(a_number_from_far_ahead_refuses_without_overflow) {
	mcp_limit limit = bucket(1, 4294967000, 1000);
	uint64_t arrival_us;
	assert_false(mcp_limit_bucket_takes(&limit, INT64_MAX, NOW_US, 1000, &arrival_us));
	assert_int_equal(0, mcp_limit_bucket_remaining(&limit, INT64_MAX, NOW_US));
	assert_true(mcp_limit_bucket_wait_us(&limit, INT64_MAX, NOW_US, 1) > 0);
}
