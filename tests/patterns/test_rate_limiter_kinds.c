/* Holds windows and buckets to what they promise, and to their round trips. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "rate_world.h"

/* --- window --- */

RATE_TEST(a_window_costs_one_round_trip_and_ends_at_its_boundary, w) {
	w->limit.algorithm = MCP_LIMITING_FIXED_WINDOW;
	static const unsigned expected[] = {2, 1, 1, 1, 1};
	for (size_t i = 0; i < 5; i++) {
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_int_equal(i < 3, attempt(w));
		assert_int_equal(expected[i], w->world.calls);
	}
	/* The refused have counted. */
	assert_string_equal("5", world_peek(&w->world, "rate:login:anna:w60000:30000000"));
	assert_int_equal(0, look(w).remaining);
	assert_int_equal(60000 * 1000, look(w).wait_us);
	world_pass(&w->world, 59999);
	assert_false(attempt(w));
	world_pass(&w->world, 1);
	assert_true(attempt(w) && attempt(w) && attempt(w));
}

RATE_TEST(a_window_that_cannot_count_on_refuses, w) {
	w->limit.algorithm = MCP_LIMITING_FIXED_WINDOW;
	world_put(&w->world, "rate:login:anna:w60000:30000000", "9223372036854775807", 0);
	assert_false(attempt(w));
	assert_string_equal("9223372036854775807",
		world_peek(&w->world, "rate:login:anna:w60000:30000000"));
}

/* --- bucket --- */

RATE_TEST(a_bucket_admits_its_burst_and_then_evenly, w) {
	w->limit = (mcp_limit){MCP_LIMITING_TOKEN_BUCKET, 60, 60000, 6, 5};
	for (uint64_t left = 5; left > 0; left--) {
		assert_int_equal(left, look(w).remaining);
		assert_true(attempt(w));
	}
	assert_false(attempt(w));
	assert_int_equal(1000000, look(w).wait_us);
	for (int second = 0; second < 30; second++) {
		world_pass(&w->world, 999);
		assert_false(attempt(w));
		world_pass(&w->world, 1);
		assert_true(attempt(w));
	}
	assert_non_null(world_peek(&w->world, "rate:login:anna:b60000"));
	world_pass(&w->world, 5000 + 5000);
	assert_null(world_peek(&w->world, "rate:login:anna:b60000"));
}

RATE_TEST(a_bucket_costs_two_round_trips_and_one_when_refused, w) {
	w->limit = (mcp_limit){MCP_LIMITING_TOKEN_BUCKET, 2, 60000, 6, 2};
	static const unsigned expected[] = {2, 2, 1};
	for (size_t i = 0; i < 3; i++) {
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_int_equal(i < 2, attempt(w));
		assert_int_equal(expected[i], w->world.calls);
	}
}

RATE_TEST(a_bucket_that_others_change_is_looked_at_again, w) {
	w->limit = (mcp_limit){MCP_LIMITING_TOKEN_BUCKET, 3, 60000, 6, 3};
	for (int is_there = 0; is_there <= 1; is_there++) {
		w->at_call = 2;
		w->hooks = 0;
		world_watch(&w->world, 0, WORLD_SOUND);
		w->world.before_call = others_attempt;
		assert_int_equal(is_there == 0, attempt(w));
		w->world.before_call = NULL;
		assert_int_equal(2, w->hooks);
		assert_int_equal(1, w->world.sleeps);
		assert_int_equal(0, look(w).remaining);
		w->world.sleeps = 0;
		world_pass(&w->world, 40000);
	}
}

/* Attempts at a bucket of two, which others use up before this call of it. */
static bool attempt_beside(rate_world *w, void (*others)(test_world *world, unsigned call),
	unsigned at_call) {
	w->limit = (mcp_limit){MCP_LIMITING_TOKEN_BUCKET, 60, 60000, 6, 2};
	w->at_call = at_call;
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = others;
	bool is_admitted = attempt(w);
	w->world.before_call = NULL;
	assert_int_equal(2, w->hooks);
	return is_admitted;
}

/* Lets others use the bucket up while this process stands still for so long that their number has ended. */
static void others_come_and_go(test_world *world, unsigned call) {
	rate_world *w = world->actor;
	bool is_time = call == w->at_call && w->hooks == 0;
	others_attempt(world, call);
	world_pass(world, is_time ? 5000 : 0);
}

RATE_TEST(who_comes_late_takes_from_the_bucket_as_it_is_now, w) {
	assert_true(attempt_beside(w, others_come_and_go, 2));
	assert_int_equal(1, look(w).remaining);
	assert_int_equal(0, look(w).wait_us);
}

static void others_come_behind_who_is_late(test_world *world, unsigned call) {
	world_pass(world, call == 2 ? 5000 : 0);
	others_attempt(world, call);
}

RATE_TEST(who_comes_late_takes_nothing_from_those_behind, w) {
	/* Behind the late addition. */
	assert_false(attempt_beside(w, others_come_behind_who_is_late, 3));
	assert_int_equal(0, look(w).remaining);
}

static void always_changed(test_world *world, unsigned call) {
	rate_world *w = world->actor;
	char digits[32];
	snprintf(digits, sizeof(digits), "%llu",
		(unsigned long long)world->wall_ms * 1000 + w->hooks++);
	world_put(world, "rate:login:anna:b60000", digits, 60000);
}

RATE_TEST(a_bucket_that_others_keep_changing_is_given_up, w) {
	w->limit = (mcp_limit){MCP_LIMITING_TOKEN_BUCKET, 3, 60000, 6, 3};
	bool is_admitted;
	w->world.before_call = always_changed;
	assert_int_equal(MCP_EXISTS, try_one(w, 1, &is_admitted));
	assert_false(is_admitted);
	assert_int_equal(63, w->world.sleeps);
	assert_in_range(w->world.monotonic_ms, 63, 64 * 10 + 5000);
}

RATE_TEST(a_bucket_that_could_not_be_asked_is_no_answer, w) {
	w->limit = (mcp_limit){MCP_LIMITING_TOKEN_BUCKET, 3, 60000, 6, 3};
	bool is_admitted;
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, try_one(w, 1, &is_admitted));
	world_watch(&w->world, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, try_one(w, 1, &is_admitted));
	assert_false(is_admitted);
	world_put(&w->world, "rate:login:anna:b60000", "hello", 0);
	assert_int_equal(MCP_NOT_A_NUMBER, try_one(w, 1, &is_admitted));
	assert_int_equal(MCP_OK, mcp_rate_reset(&w->rate, &w->scratch));
	assert_true(attempt(w));
}
