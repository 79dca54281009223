/* Holds the online counter's numbers to O1, O3 and O5: against exact sets of visitors over a thousand
 * windows, and with numbers and answers that cannot be added up. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <cmocka.h>

#include "online_world.h"

ONLINE_TEST(a_visit_counts_at_once_and_for_a_window, w) {
	assert_int_equal(0, count(w));
	assert_int_equal(MCP_OK, mcp_online_increment(&w->online, 7));
	assert_int_equal(7, count(w));
	for (int slot = 1; slot <= 5; slot++) {
		pass_slots(w, 1);
		assert_int_equal(7, count(w));
	}
	pass_slots(w, 1);
	assert_int_equal(0, count(w));
}

ONLINE_TEST(a_count_is_one_round_trip_and_a_slot_a_key, w) {
	mcp_online_increment(&w->online, 1);
	assert_string_equal("1", world_peek(&w->world, "online:page:30000000"));
	world_watch(&w->world, 0, WORLD_SOUND);
	count(w);
	assert_int_equal(1, w->world.calls);
	smooth(w);
	assert_int_equal(2, w->world.calls);
	mcp_online_increment(&w->online, 1);
	assert_int_equal(3, w->world.calls);
}

ONLINE_TEST(one_slot_is_the_form_with_two_keys, w) {
	w->online.window = (mcp_window){60, 1};
	mcp_online_increment(&w->online, 3);
	assert_int_equal(3, count(w));
	pass_slots(w, 1);
	mcp_online_increment(&w->online, 4);
	assert_int_equal(7, count(w));
	pass_slots(w, 1);
	assert_int_equal(4, count(w));
	pass_slots(w, 1);
	assert_int_equal(0, count(w));
}

/* O1: a key made late in its slot neither dies before its last use nor outlives it by long. */
ONLINE_TEST(a_slot_made_late_is_counted_to_the_end, w) {
	for (unsigned late_ms = 0; late_ms < 60000; late_ms += 7321) {
		w->world.wall_ms = WORLD_START_MS + late_ms;
		mcp_online_increment(&w->online, 1);
		w->world.wall_ms = WORLD_START_MS + 5 * 60000 + 59999;
		assert_int_equal(1, count(w));
		w->world.wall_ms = WORLD_START_MS + 6 * 60000 + 3000;
		assert_null(world_peek(&w->world, "online:page:30000000"));
	}
}

ONLINE_TEST(the_slots_are_shown_newest_first, w) {
	for (unsigned slot = 0; slot < 7; slot++) {
		mcp_online_increment(&w->online, slot + 1);
		pass_slots(w, slot < 6);
	}
	uint64_t newest;
	assert_int_equal(MCP_OK, mcp_online_slots(&w->online, &w->scratch, &newest));
	assert_int_equal(30000006, newest);
	for (unsigned i = 0; i <= 5; i++) {
		assert_int_equal(7 - i, w->numbers[i]);
	}
}

/* --- against exact sets --- */

enum { VISITORS = 60, WINDOWS = 1000, SLOTS = 5 };

/* In which slot, counted from 1, each visitor came last; 0: never. */
typedef struct oracle {
	uint64_t last[VISITORS], now;
} oracle;

static bool oracle_has(const oracle *o, unsigned visitor) {
	return o->last[visitor] > 0 && o->last[visitor] + SLOTS >= o->now;
}

static bool oracle_hit(oracle *o, unsigned visitor) {
	bool is_new = !oracle_has(o, visitor);
	o->last[visitor] = o->now;
	return is_new;
}

/* Counts different visitors of the window. */
static uint64_t oracle_count(const oracle *o) {
	uint64_t number = 0;
	for (unsigned visitor = 0; visitor < VISITORS; visitor++) {
		number += oracle_has(o, visitor);
	}
	return number;
}

static void assert_count_agrees(online_world *w, const oracle *o) {
	assert_int_equal(oracle_count(o), count(w));
}

static void assert_hit_agrees(online_world *w, oracle *o, unsigned visitor) {
	char name[16];
	snprintf(name, sizeof(name), "v%u", visitor);
	assert_int_equal(oracle_hit(o, visitor), hit(w, name));
}

/* Runs quiet slots, busy ones, and bursts of everybody at once right before and after a slot's end. */
static void run_slot(online_world *w, oracle *o) {
	uint64_t mood = mcp_random_u64(&w->world.environment) % 4;
	unsigned hits = mood == 0 ? 0 : (unsigned)(mood * mood * 5);
	for (unsigned i = 0; i < hits; i++) {
		assert_hit_agrees(w, o, (unsigned)(mcp_random_u64(&w->world.environment) % VISITORS));
	}
	assert_count_agrees(w, o);
	uint64_t end_ms = (w->world.wall_ms / 60000 + 1) * 60000;
	world_pass(&w->world, end_ms - 1 - w->world.wall_ms);
	for (unsigned visitor = 0; mood == 3 && visitor < VISITORS / 2; visitor++) {
		assert_hit_agrees(w, o, visitor);
	}
	assert_count_agrees(w, o);
	world_pass(&w->world, 1);
	o->now++;
	for (unsigned visitor = VISITORS / 3; mood == 3 && visitor < VISITORS; visitor++) {
		assert_hit_agrees(w, o, visitor);
	}
	assert_count_agrees(w, o);
}

ONLINE_TEST(the_count_is_that_of_exact_sets_over_a_thousand_windows, w) {
	oracle o = {.now = 1};
	for (unsigned slot = 0; slot < WINDOWS * SLOTS; slot++) {
		run_slot(w, &o);
	}
}

/* The gap is one window, from moment to moment; each comes at another one of a slot. */
ONLINE_TEST(who_comes_back_within_a_window_is_in_every_count_once, w) {
	for (unsigned step = 0; step < 20 * SLOTS * VISITORS; step++) {
		char name[16];
		snprintf(name, sizeof(name), "v%u", step * 7 % (SLOTS * VISITORS));
		assert_int_equal(step < SLOTS * VISITORS, hit(w, name));
		if (step >= SLOTS * VISITORS) {
			assert_int_equal(SLOTS * VISITORS, count(w));
		}
		world_pass(&w->world, SLOT_MS / VISITORS);
	}
}

/* --- smooth --- */

static uint64_t distance(uint64_t a, uint64_t b) {
	return a > b ? a - b : b - a;
}

/* Asserts it with `each_ms` between two different visitors; the true window holds 300 s of them. */
static void assert_smooth_for_new_visitors(online_world *w, uint64_t each_ms) {
	const uint64_t truth = 300000 / each_ms;
	uint64_t before = 0;
	for (uint64_t elapsed_ms = 0; elapsed_ms < 1500000; elapsed_ms += each_ms) {
		world_pass(&w->world, each_ms);
		mcp_online_increment(&w->online, 1);
		uint64_t now = smooth(w);
		if (elapsed_ms >= 360000) {
			assert_true(distance(now, truth) * 100 <= truth * 5);
			assert_true(distance(now, before) * 100 <= truth);
		}
		before = now;
	}
}

ONLINE_TEST(smooth_is_near_the_true_window_at_steady_load, w) {
	assert_smooth_for_new_visitors(w, 500);
}

/* People who came one after the other and are each back every 30 s: the count is their number, whatever the
 * slots do. */
ONLINE_TEST(smooth_counts_who_stays_once, w) {
	enum { PEOPLE = 100, STEP_MS = 30000 / PEOPLE, ARRIVAL_MS = 3000 };
	for (uint64_t elapsed_ms = 0; elapsed_ms < 1500000; elapsed_ms += STEP_MS) {
		char name[16];
		uint64_t visitor = elapsed_ms / STEP_MS % PEOPLE;
		snprintf(name, sizeof(name), "v%u", (unsigned)visitor);
		if (elapsed_ms >= visitor * ARRIVAL_MS) {
			hit(w, name);
		}
		uint64_t now = smooth(w);
		if (elapsed_ms >= 600000) {
			assert_true(distance(now, PEOPLE) <= PEOPLE * 5 / 100);
		}
		world_pass(&w->world, STEP_MS);
	}
}

/* --- when the numbers cannot be added up --- */

static void assert_every_read_is(online_world *w, mcp_status sum, mcp_status each) {
	uint64_t number;
	assert_int_equal(sum, mcp_online_count(&w->online, &w->scratch, false, &number));
	assert_int_equal(sum, mcp_online_count(&w->online, &w->scratch, true, &number));
	assert_int_equal(each, mcp_online_slots(&w->online, &w->scratch, &number));
}

ONLINE_TEST(a_number_beyond_what_php_has_is_not_shown, w) {
	pass_slots(w, 3);
	static const char *const numbers[] = {"9223372036854775808", "18446744073709551615"};
	for (size_t i = 0; i < 2; i++) {
		put_slot(w, FIRST_SLOT + 1, numbers[i]);
		assert_every_read_is(w, MCP_OUT_OF_RANGE, MCP_OUT_OF_RANGE);
	}
	put_slot(w, FIRST_SLOT + 1, "18446744073709551616");
	assert_every_read_is(w, MCP_NOT_A_NUMBER, MCP_NOT_A_NUMBER);
	put_slot(w, FIRST_SLOT + 1, "9223372036854775807");
	assert_every_read_is(w, MCP_OK, MCP_OK);
	assert_true(count(w) == INT64_MAX);
}

ONLINE_TEST(a_sum_beyond_what_php_has_is_not_shown, w) {
	pass_slots(w, 5);
	put_slot(w, FIRST_SLOT + 3, "9223372036854775807");
	for (unsigned slot = FIRST_SLOT + 1; slot <= FIRST_SLOT + 2; slot++) {
		put_slot(w, slot, slot == FIRST_SLOT + 1 ? "1" : "9223372036854775807");
		assert_every_read_is(w, MCP_OUT_OF_RANGE, MCP_OK);
	}
	/* By the oldest slot's share alone. */
	uint64_t number;
	world_remove(&w->world, "online:page:30000001");
	world_remove(&w->world, "online:page:30000002");
	put_slot(w, FIRST_SLOT, "1");
	assert_int_equal(MCP_OUT_OF_RANGE, mcp_online_count(&w->online, &w->scratch, true, &number));
}

/* --- when the server does not answer --- */

ONLINE_TEST(a_partial_answer_is_a_failure, w) {
	mcp_online_increment(&w->online, 5);
	pass_slots(w, 1);
	uint64_t number;
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, mcp_online_count(&w->online, &w->scratch, false, &number));
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, mcp_online_count(&w->online, &w->scratch, true, &number));
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, mcp_online_slots(&w->online, &w->scratch, &number));
	world_put(&w->world, "online:page:30000000", "hello", 0);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_online_count(&w->online, &w->scratch, false, &number));
}

ONLINE_TEST(a_failed_increment_says_so, w) {
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_online_increment(&w->online, 1));
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, mcp_online_increment(&w->online, 1));
}
