/* Holds the sliding rate limiter to R1 to R5: at the edges of slots, with other attempts at every call, with every
 * answer lost, and with processes that stand still. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "rate_world.h"

RATE_TEST(the_limit_is_admitted_and_no_more, w) {
	for (uint64_t left = 3; left > 0; left--) {
		assert_int_equal(left, look(w).remaining);
		assert_int_equal(0, look(w).wait_us);
		assert_true(attempt(w));
	}
	assert_false(attempt(w));
	assert_int_equal(0, look(w).remaining);
	assert_string_equal("3", slot_text(w, FIRST_SLOT));
}

/* R1: the slot that the period has begun in counts whole. */
RATE_TEST(there_is_room_again_when_the_oldest_slot_has_left, w) {
	world_pass(&w->world, SLOT_MS - 1);
	assert_true(attempt(w));
	world_pass(&w->world, 1);
	assert_true(attempt(w) && attempt(w));
	assert_int_equal(60000 * 1000, look(w).wait_us);
	world_pass(&w->world, 59999);
	assert_false(attempt(w));
	world_pass(&w->world, 1);
	assert_true(attempt(w));
	assert_false(attempt(w));
}

RATE_TEST(in_no_interval_of_the_period_are_more_admitted, w) {
	uint64_t times[400];
	size_t admitted = 0;
	for (int i = 0; i < 4000; i++) {
		world_pass(&w->world, mcp_random_u64(&w->world.environment) % 3000);
		if (attempt(w) && admitted < 400) {
			times[admitted++] = w->world.wall_ms;
		}
	}
	assert_true(admitted > 100);
	for (size_t i = 3; i < admitted; i++) {
		assert_true(times[i] - times[i - 3] >= 60000);
	}
}

RATE_TEST(a_refused_attempt_uses_nothing_up, w) {
	bool is_admitted;
	assert_true(attempt(w) && attempt(w));
	assert_int_equal(MCP_OK, try_one(w, 2, &is_admitted));
	assert_false(is_admitted);
	assert_string_equal("2", slot_text(w, FIRST_SLOT));
	assert_true(attempt(w));
}

RATE_TEST(round_trips_are_two_and_one_when_refused, w) {
	static const unsigned expected[] = {2, 2, 2, 1};
	for (size_t i = 0; i < 4; i++) {
		world_watch(&w->world, 0, WORLD_SOUND);
		attempt(w);
		assert_int_equal(expected[i], w->world.calls);
	}
	world_watch(&w->world, 0, WORLD_SOUND);
	look(w);
	assert_int_equal(1, w->world.calls);
}

RATE_TEST(what_counting_answers_decides, w) {
	for (w->at_call = 1; w->at_call <= 3; w->at_call++) {
		world_pass(&w->world, 600000);
		w->hooks = 0;
		unsigned admitted = attempt(w) + attempt(w);
		world_watch(&w->world, 0, WORLD_SOUND);
		w->world.before_call = others_attempt;
		admitted += attempt(w);
		w->world.before_call = NULL;
		assert_int_equal(3, admitted + w->hooks);
		uint64_t slot = w->world.wall_ms / SLOT_MS;
		assert_string_equal("3", slot_text(w, (unsigned)slot));
	}
}

/* Lets the process stand still before its n-th call. */
static void time_passes(test_world *world, unsigned call) {
	rate_world *w = world->actor;
	if (call == w->at_call) {
		world_pass(world, SLOT_MS);
	}
}

RATE_TEST(a_count_into_a_slot_that_has_ended_is_taken_back, w) {
	w->at_call = 2;
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = time_passes;
	assert_true(attempt(w));
	assert_string_equal("0", slot_text(w, FIRST_SLOT));
	assert_string_equal("1", slot_text(w, FIRST_SLOT + 1));
}

static void always_time_passes(test_world *world, unsigned call) {
	world_pass(world, SLOT_MS);
}

RATE_TEST(who_stands_still_three_times_is_told_so, w) {
	bool is_admitted;
	w->world.before_call = always_time_passes;
	assert_int_equal(MCP_EXISTS, try_one(w, 1, &is_admitted));
	w->world.before_call = NULL;
	assert_false(is_admitted);
	assert_int_equal(3, look(w).remaining);
}

RATE_TEST(an_attempt_that_could_not_ask_is_no_answer, w) {
	for (unsigned call = 1; call <= 2; call++) {
		for (world_fault fault = WORLD_REPLY_LOST; fault <= WORLD_DOWN; fault++) {
			world_restart(&w->world);
			w->world.is_down = false;
			world_watch(&w->world, call, fault);
			bool is_admitted;
			mcp_status status = try_one(w, 1, &is_admitted);
			assert_true(mcp_status_is_failure(status));
			assert_false(is_admitted);
		}
	}
}

/* A refusal is one though its taking back was lost. */
RATE_TEST(a_lost_taking_back_counts_until_the_slot_leaves, w) {
	bool is_admitted;
	assert_true(attempt(w) && attempt(w));
	w->at_call = 2;
	w->world.before_call = others_attempt;
	world_watch(&w->world, 3, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_OK, try_one(w, 1, &is_admitted));
	w->world.before_call = NULL;
	assert_false(is_admitted);
	assert_string_equal("4", slot_text(w, FIRST_SLOT));
	world_pass(&w->world, 70000);
	assert_int_equal(3, look(w).remaining);
}

RATE_TEST(what_is_no_number_is_said, w) {
	bool is_admitted;
	char name[64];
	snprintf(name, sizeof(name), "rate:login:anna:s10000:%u", FIRST_SLOT - 6);
	world_put(&w->world, name, "hello", 0);
	assert_int_equal(MCP_NOT_A_NUMBER, try_one(w, 1, &is_admitted));
	mcp_rate_state left;
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_rate_read_state(&w->rate, &w->scratch, 1, &left));
	assert_int_equal(MCP_OK, mcp_rate_reset(&w->rate, &w->scratch));
	assert_true(attempt(w));
}

RATE_TEST(numbers_that_cannot_be_summed_refuse, w) {
	char name[64];
	for (unsigned back = 0; back < 3; back++) {
		snprintf(name, sizeof(name), "rate:login:anna:s10000:%u", FIRST_SLOT - back);
		world_put(&w->world, name, "9223372036854775807", 0);
	}
	assert_false(attempt(w));
	assert_int_equal(0, look(w).remaining);
}

RATE_TEST(a_reset_forgets_all_slots, w) {
	for (int i = 0; i < 3; i++) {
		assert_true(attempt(w));
		world_pass(&w->world, SLOT_MS);
	}
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_rate_reset(&w->rate, &w->scratch));
	assert_int_equal(1 + 3, w->world.calls);
	assert_int_equal(3, look(w).remaining);
	for (unsigned call = 1; call <= 2; call++) {
		attempt(w);
		world_watch(&w->world, call, WORLD_REQUEST_LOST);
		assert_true(mcp_status_is_failure(mcp_rate_reset(&w->rate, &w->scratch)));
	}
}

/* R4. */
RATE_TEST(numbers_end_by_themselves, w) {
	attempt(w);
	world_pass(&w->world, 70000);
	assert_non_null(slot_text(w, FIRST_SLOT));
	world_pass(&w->world, 5000);
	assert_null(slot_text(w, FIRST_SLOT));
}
