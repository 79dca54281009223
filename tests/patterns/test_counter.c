/* Holds counting to K1-K3: against other counters at every call, with every call's answer or request
 * lost, and against what other clients may have stored. */
/* SPDX-License-Identifier: MIT */
#include "counter_world.h"

COUNTER_TEST(an_absent_number_starts_from_its_initial, f) {
	assert_int_equal(MCP_NOT_FOUND, counter_add(f, 1));
	assert_int_equal(MCP_OK, counter_start(f, 100, 5));
	assert_int_equal(105, f->number);
	assert_string_equal("105", world_peek(&f->world, ITEM));
	assert_int_equal(MCP_OK, counter_start(f, 100, 5));
	assert_int_equal(110, f->number);
}

COUNTER_TEST(counting_costs_one_round_trip, f) {
	counter_start(f, 0, 1);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, counter_start(f, 0, 1));
	assert_int_equal(1, f->world.calls);
}

static void another_starts_it(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	int64_t number;
	if (call == f->at_call) {
		assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 10, &number));
	}
}

COUNTER_TEST(no_count_is_lost_at_a_common_start, f) {
	for (f->at_call = 1; f->at_call <= 3; f->at_call++) {
		mcp_counter_reset(&f->counter);
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = another_starts_it;
		assert_int_equal(MCP_OK, counter_start(f, 0, 1));
		f->world.before_call = NULL;
		assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 0, &f->number));
		assert_int_equal(f->at_call == 3 ? 1 : 11, f->number);
	}
}

COUNTER_TEST(counting_down_stops_at_zero_without_padding, f) {
	counter_start(f, 0, 10);
	assert_int_equal(MCP_OK, counter_add(f, -1));
	assert_int_equal(9, f->number);
	assert_string_equal("9 ", world_peek(&f->world, ITEM));
	assert_int_equal(MCP_OK, mcp_counter_read(&f->counter, &f->number));
	assert_int_equal(9, f->number);
	assert_int_equal(MCP_OK, counter_add(f, -100));
	assert_int_equal(0, f->number);
	assert_int_equal(MCP_OK, counter_add(f, INT64_MIN));
	assert_int_equal(0, f->number);
	mcp_counter_reset(&f->counter);
	assert_int_equal(MCP_OK, counter_start(f, 3, -10));
	assert_int_equal(0, f->number);
	assert_string_equal("0", world_peek(&f->world, ITEM));
}

COUNTER_TEST(beyond_the_largest_integer_is_taken_back, f) {
	world_put(&f->world, ITEM, "9223372036854775800", 0);
	assert_int_equal(MCP_OUT_OF_RANGE, counter_add(f, 8));
	assert_true(counter_rest(f) == 9223372036854775800);
	assert_int_equal(MCP_OUT_OF_RANGE, counter_add(f, INT64_MAX));
	assert_true(counter_rest(f) == 9223372036854775800);
	assert_int_equal(MCP_OK, counter_add(f, 7));
	assert_true(f->number == INT64_MAX);
	mcp_counter_reset(&f->counter);
	assert_int_equal(MCP_OUT_OF_RANGE, counter_start(f, INT64_MAX, 1));
	assert_null(world_peek(&f->world, ITEM));
}

/* Another process's acts between an increment that went beyond and its being taken back, and after. */
typedef struct meeting {
	int64_t number, by;
	int64_t other_by;
	bool is_undone_after; /* the other one's is beyond too, and taken back when all is over */
	mcp_status other_status;
} meeting;

static const meeting *met;

static void meet_before_the_undoing(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	uint64_t reached;
	int64_t number;
	if (call != 2) {
		return;
	}
	if (met->is_undone_after) {
		mcp_store_increment(world->memory, &f->key, (uint64_t)met->other_by, &reached);
	} else {
		assert_int_equal(met->other_status, mcp_counter_add(&f->counter, met->other_by, &number));
	}
}

COUNTER_TEST(whatever_meets_what_is_undone_the_number_stays, f) {
	static const meeting meetings[] = {
		{100, INT64_MAX, INT64_MAX, true, MCP_OK},
		{100, INT64_MAX, INT64_MAX, false, MCP_OUT_OF_RANGE},
		{100, INT64_MAX, -50, false, MCP_OUT_OF_RANGE},
		{100, INT64_MAX, -200, false, MCP_OUT_OF_RANGE},
		{100, INT64_MAX, INT64_MIN, false, MCP_OUT_OF_RANGE},
		{INT64_MAX - 5, 10, 3, false, MCP_OUT_OF_RANGE},
		{INT64_MAX - 5, 10, 10, true, MCP_OK},
		{INT64_MAX - 5, 10, -10, false, MCP_OUT_OF_RANGE},
	};
	for (size_t i = 0; i < sizeof(meetings) / sizeof(meetings[0]); i++) {
		met = &meetings[i];
		assert_int_equal(MCP_OK, mcp_counter_set(&f->counter, met->number));
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = meet_before_the_undoing;
		assert_int_equal(MCP_OUT_OF_RANGE, counter_add(f, met->by));
		f->world.before_call = NULL;
		if (met->is_undone_after) {
			uint64_t reached, by = (uint64_t)met->other_by;
			mcp_store_increment(f->world.memory, &f->key, 0 - by, &reached);
		}
		assert_int_equal(met->number, counter_rest(f));
	}
}

COUNTER_TEST(what_could_not_be_taken_back_is_unknown, f) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST, WORLD_DOWN,
		WORLD_REFUSED_AFTER};
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		assert_int_equal(MCP_OK, mcp_counter_set(&f->counter, INT64_MAX));
		world_watch(&f->world, 2, faults[i]);
		assert_int_equal(MCP_UNKNOWN, counter_add(f, 1));
		world_watch(&f->world, 0, WORLD_SOUND);
	}
}

COUNTER_TEST(a_foreign_number_that_wraps_is_put_back, f) {
	world_put(&f->world, ITEM, "18446744073709551615", 0);
	assert_int_equal(MCP_OUT_OF_RANGE, counter_add(f, 5));
	assert_string_equal("18446744073709551615", world_peek(&f->world, ITEM));
	assert_int_equal(MCP_OUT_OF_RANGE, counter_add(f, -5));
	assert_string_equal("18446744073709551615", world_peek(&f->world, ITEM));
	assert_int_equal(MCP_OUT_OF_RANGE, mcp_counter_read(&f->counter, &f->number));
	assert_int_equal(MCP_OUT_OF_RANGE, mcp_counter_drain(&f->counter, &f->number));
}

COUNTER_TEST(a_foreign_number_beyond_stays_whatever_is_taken_from_it, f) {
	static const char *const numbers[] = {"9223372036854775808", "9223372036854775817"};
	static const int64_t by[] = {-1, -100, -INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < 8; i++) {
		world_put(&f->world, ITEM, numbers[i / 4], 0);
		assert_int_equal(MCP_OUT_OF_RANGE, counter_add(f, by[i % 4]));
		assert_string_equal(numbers[i / 4], world_peek(&f->world, ITEM));
	}
}

COUNTER_TEST(a_foreign_value_stays, f) {
	world_put(&f->world, ITEM, "hello", 0);
	assert_int_equal(MCP_NOT_A_NUMBER, counter_add(f, 1));
	assert_int_equal(MCP_NOT_A_NUMBER, counter_start(f, 0, 1));
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_counter_read(&f->counter, &f->number));
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_counter_drain(&f->counter, &f->number));
	assert_string_equal("hello", world_peek(&f->world, ITEM));
}

COUNTER_TEST(a_window_starts_at_creation_and_ends, f) {
	f->counter.ttl_ms = 5000;
	counter_start(f, 0, 1);
	for (int i = 0; i < 4; i++) {
		world_pass(&f->world, 1000);
		assert_int_equal(MCP_OK, counter_start(f, 0, 1));
	}
	world_pass(&f->world, 3000);
	assert_int_equal(MCP_OK, counter_start(f, 0, 1));
	assert_int_equal(1, f->number);
}

COUNTER_TEST(a_window_over_thirty_days_ends_too, f) {
	f->counter.ttl_ms = 40ull * 24 * 3600 * 1000;
	counter_start(f, 0, 1);
	world_pass(&f->world, f->counter.ttl_ms - 1000);
	assert_int_equal(MCP_OK, counter_start(f, 0, 1));
	assert_int_equal(2, f->number);
	world_pass(&f->world, 4000);
	assert_int_equal(MCP_NOT_FOUND, mcp_counter_read(&f->counter, &f->number));
}

COUNTER_TEST(set_and_reset_do_what_they_say, f) {
	assert_int_equal(MCP_OK, mcp_counter_set(&f->counter, 42));
	assert_int_equal(MCP_OK, mcp_counter_read(&f->counter, &f->number));
	assert_int_equal(42, f->number);
	assert_int_equal(MCP_OK, mcp_counter_reset(&f->counter));
	assert_int_equal(MCP_OK, mcp_counter_reset(&f->counter));
	assert_int_equal(MCP_NOT_FOUND, mcp_counter_read(&f->counter, &f->number));
}

COUNTER_TEST(a_count_without_an_answer_is_never_repeated, f) {
	counter_start(f, 0, 1);
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, counter_start(f, 0, 1));
	assert_string_equal("2", world_peek(&f->world, ITEM));
	mcp_counter_reset(&f->counter);
	world_watch(&f->world, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, counter_start(f, 0, 1));
	assert_string_equal("1", world_peek(&f->world, ITEM));
}
