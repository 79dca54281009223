/* Holds the online counter to O1-O5: against exact sets of visitors over a thousand windows, with
 * every call's answer or request lost, on a clock that is moved rather than waited for. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "../../src/patterns/online_counter.h"
#include "world.h"

#define SLOTS_MAX 64

typedef struct online_fixture {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_online online;
	mcp_key keys[SLOTS_MAX + 3];
	mcp_key_buffer buffers[SLOTS_MAX + 3];
	mcp_reply replies[SLOTS_MAX + 3];
	uint64_t numbers[SLOTS_MAX + 3];
	mcp_online_scratch scratch;
	unsigned at_call;
} online_fixture;

static online_fixture fixture;

static int open_fixture(void **state) {
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.world.actor = &fixture;
	fixture.key = world_key(&fixture.buffer, MCP_SPACE_ONLINE, "page");
	fixture.online = (mcp_online){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
		.key = &fixture.key,
		.name = mcp_bytes_of("page", 4),
		.window = {300, 5},
	};
	fixture.scratch =
		(mcp_online_scratch){fixture.keys, fixture.buffers, fixture.replies, fixture.numbers};
	*state = &fixture;
	return 0;
}

static int close_fixture(void **state) {
	world_close(&((online_fixture *)*state)->world);
	return 0;
}

static bool hit(online_fixture *f, const char *visitor) {
	bool has_counted;
	mcp_bytes bytes = mcp_bytes_of(visitor, strlen(visitor));
	assert_int_equal(MCP_OK, mcp_online_hit(&f->online, bytes, &has_counted));
	return has_counted;
}

static uint64_t count(online_fixture *f) {
	uint64_t number;
	assert_int_equal(MCP_OK, mcp_online_count(&f->online, &f->scratch, &number));
	return number;
}

static uint64_t smooth(online_fixture *f) {
	uint64_t number;
	assert_int_equal(MCP_OK, mcp_online_count_smooth(&f->online, &f->scratch, &number));
	return number;
}

static void pass_slots(online_fixture *f, unsigned slots) {
	world_pass(&f->world, slots * 1000ull * (f->online.window.length_s / f->online.window.slots));
}

static void only_ended_slots_are_counted(void **state) {
	online_fixture *f = *state;
	assert_int_equal(0, count(f));
	assert_int_equal(MCP_OK, mcp_online_increment(&f->online, 7));
	assert_int_equal(0, count(f));
	for (int slot = 1; slot <= 5; slot++) {
		pass_slots(f, 1);
		assert_int_equal(7, count(f));
	}
	pass_slots(f, 1);
	assert_int_equal(0, count(f));
}

static void a_count_is_one_round_trip_and_a_slot_a_key(void **state) {
	online_fixture *f = *state;
	mcp_online_increment(&f->online, 1);
	assert_string_equal("1", world_peek(&f->world, "online:page:30000000"));
	world_watch(&f->world, 0, WORLD_SOUND);
	count(f);
	assert_int_equal(1, f->world.calls);
	smooth(f);
	assert_int_equal(2, f->world.calls);
	mcp_online_increment(&f->online, 1);
	assert_int_equal(3, f->world.calls);
}

static void one_slot_is_the_form_with_two_keys(void **state) {
	online_fixture *f = *state;
	f->online.window = (mcp_window){60, 1};
	mcp_online_increment(&f->online, 3);
	assert_int_equal(0, count(f));
	pass_slots(f, 1);
	mcp_online_increment(&f->online, 4);
	assert_int_equal(3, count(f));
	pass_slots(f, 1);
	assert_int_equal(4, count(f));
}

/* O1: a key made late in its slot neither dies before its last use nor outlives it by long. */
static void a_slot_made_late_is_counted_to_the_end(void **state) {
	online_fixture *f = *state;
	for (unsigned late_ms = 0; late_ms < 60000; late_ms += 7321) {
		f->world.wall_ms = WORLD_START_MS + late_ms;
		mcp_online_increment(&f->online, 1);
		f->world.wall_ms = WORLD_START_MS + 5 * 60000 + 59999;
		assert_int_equal(1, count(f));
		f->world.wall_ms = WORLD_START_MS + 6 * 60000 + 3000;
		assert_null(world_peek(&f->world, "online:page:30000000"));
	}
}

static void the_slots_are_shown_newest_first(void **state) {
	online_fixture *f = *state;
	for (unsigned slot = 0; slot < 7; slot++) {
		mcp_online_increment(&f->online, slot + 1);
		pass_slots(f, slot < 6);
	}
	uint64_t newest;
	assert_int_equal(MCP_OK, mcp_online_slots(&f->online, &f->scratch, &newest));
	assert_int_equal(30000006, newest);
	for (unsigned i = 0; i <= 5; i++) {
		assert_int_equal(7 - i, f->numbers[i]);
	}
}

static void a_visitor_counts_once_in_a_window(void **state) {
	online_fixture *f = *state;
	assert_true(hit(f, "anna"));
	assert_false(hit(f, "anna"));
	assert_true(hit(f, "bert"));
	pass_slots(f, 4);
	assert_false(hit(f, "anna"));
	pass_slots(f, 1);
	assert_int_equal(2, count(f));
	assert_true(hit(f, "anna"));
	assert_false(hit(f, "anna"));
	assert_int_equal(2, count(f));
	pass_slots(f, 1);
	assert_int_equal(1, count(f));
}

static void a_known_visitor_costs_one_round_trip(void **state) {
	online_fixture *f = *state;
	static const unsigned expected[] = {4, 1};
	for (int i = 0; i < 2; i++) {
		world_watch(&f->world, 0, WORLD_SOUND);
		hit(f, "anna");
		assert_int_equal(expected[i], f->world.calls);
	}
}

static void visitors_of_any_bytes_and_counters_are_told_apart(void **state) {
	online_fixture *f = *state;
	static char longest[100000];
	memset(longest, 'x', sizeof(longest) - 1);
	assert_true(hit(f, longest));
	assert_false(hit(f, longest));
	assert_true(hit(f, "a b\n\r\xff"));
	assert_true(hit(f, "a b\n\r"));
	assert_true(hit(f, ""));
	online_fixture other = *f;
	mcp_key_buffer buffer;
	other.key = world_key(&buffer, MCP_SPACE_ONLINE, "pagea");
	other.online.key = &other.key;
	other.online.name = mcp_bytes_of("pagea", 5);
	assert_true(hit(&other, "b"));
	assert_true(hit(f, "ab"));
}

/* --- against exact sets --- */

enum { VISITORS = 60, WINDOWS = 1000, HISTORY = 8 };

/* Which visitors were counted in each of the last slots. */
typedef struct oracle {
	bool was_counted[HISTORY][VISITORS];
	unsigned slots;
	uint64_t now;
} oracle;

static bool oracle_hit(oracle *o, unsigned visitor) {
	for (unsigned back = 0; back < o->slots; back++) {
		if (back <= o->now && o->was_counted[(o->now - back) % HISTORY][visitor]) {
			return false;
		}
	}
	return o->was_counted[o->now % HISTORY][visitor] = true;
}

static uint64_t oracle_count(const oracle *o) {
	uint64_t number = 0;
	for (unsigned visitor = 0; visitor < VISITORS; visitor++) {
		bool is_in = false;
		for (unsigned back = 1; back <= o->slots && back <= o->now; back++) {
			is_in = is_in || o->was_counted[(o->now - back) % HISTORY][visitor];
		}
		number += is_in;
	}
	return number;
}

static void oracle_next_slot(oracle *o) {
	o->now++;
	memset(o->was_counted[o->now % HISTORY], 0, sizeof(o->was_counted[0]));
}

static void assert_agrees(online_fixture *f, oracle *o, unsigned visitor) {
	char name[16];
	snprintf(name, sizeof(name), "v%u", visitor);
	assert_int_equal(oracle_hit(o, visitor), hit(f, name));
}

/* Quiet slots, busy ones, and bursts of everybody at once right before and after a slot's end. */
static void run_slot(online_fixture *f, oracle *o) {
	uint64_t mood = mcp_random_u64(&f->world.environment) % 4;
	unsigned hits = mood == 0 ? 0 : (unsigned)(mood * mood * 5);
	for (unsigned i = 0; i < hits; i++) {
		assert_agrees(f, o, (unsigned)(mcp_random_u64(&f->world.environment) % VISITORS));
	}
	assert_int_equal(oracle_count(o), count(f));
	uint64_t end_ms = (f->world.wall_ms / 60000 + 1) * 60000;
	world_pass(&f->world, end_ms - 1 - f->world.wall_ms);
	for (unsigned visitor = 0; mood == 3 && visitor < VISITORS / 2; visitor++) {
		assert_agrees(f, o, visitor);
	}
	assert_int_equal(oracle_count(o), count(f));
	world_pass(&f->world, 1);
	oracle_next_slot(o);
	for (unsigned visitor = VISITORS / 3; mood == 3 && visitor < VISITORS; visitor++) {
		assert_agrees(f, o, visitor);
	}
	assert_int_equal(oracle_count(o), count(f));
}

static void the_count_is_that_of_exact_sets_over_a_thousand_windows(void **state) {
	online_fixture *f = *state;
	oracle o = {.slots = 5};
	for (unsigned slot = 0; slot < WINDOWS * o.slots; slot++) {
		run_slot(f, &o);
	}
}

/* --- smooth --- */

static uint64_t distance(uint64_t a, uint64_t b) {
	return a > b ? a - b : b - a;
}

/* `each_ms` between two different visitors; the true window holds 300 s of them. */
static void assert_smooth_for_new_visitors(online_fixture *f, uint64_t each_ms) {
	const uint64_t truth = 300000 / each_ms;
	uint64_t before = 0;
	for (uint64_t elapsed_ms = 0; elapsed_ms < 1500000; elapsed_ms += each_ms) {
		world_pass(&f->world, each_ms);
		mcp_online_increment(&f->online, 1);
		uint64_t now = smooth(f);
		if (elapsed_ms >= 360000) {
			assert_true(distance(now, truth) * 100 <= truth * 5);
			assert_true(distance(now, before) * 100 <= truth);
		}
		before = now;
	}
}

static void smooth_is_near_the_true_window_at_steady_load(void **state) {
	assert_smooth_for_new_visitors(*state, 500);
}

/* The same people, who came one after the other and are each back every 30 s: the number of people,
 * whatever the slots do. */
static void smooth_counts_who_stays_once(void **state) {
	online_fixture *f = *state;
	enum { PEOPLE = 100, STEP_MS = 30000 / PEOPLE, ARRIVAL_MS = 3000 };
	for (uint64_t elapsed_ms = 0; elapsed_ms < 1500000; elapsed_ms += STEP_MS) {
		char name[16];
		uint64_t visitor = elapsed_ms / STEP_MS % PEOPLE;
		snprintf(name, sizeof(name), "v%u", (unsigned)visitor);
		if (elapsed_ms >= visitor * ARRIVAL_MS) {
			hit(f, name);
		}
		uint64_t now = smooth(f);
		if (elapsed_ms >= 600000) {
			assert_true(distance(now, PEOPLE) <= PEOPLE * 5 / 100);
		}
		world_pass(&f->world, STEP_MS);
	}
}

/* --- when the server does not answer --- */

static void a_partial_answer_is_a_failure(void **state) {
	online_fixture *f = *state;
	mcp_online_increment(&f->online, 5);
	pass_slots(f, 1);
	uint64_t number;
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, mcp_online_count(&f->online, &f->scratch, &number));
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, mcp_online_count_smooth(&f->online, &f->scratch, &number));
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, mcp_online_slots(&f->online, &f->scratch, &number));
	world_put(&f->world, "online:page:30000000", "hello", 0);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_online_count(&f->online, &f->scratch, &number));
}

static void a_failed_increment_says_so(void **state) {
	online_fixture *f = *state;
	world_watch(&f->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_online_increment(&f->online, 1));
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, mcp_online_increment(&f->online, 1));
}

static mcp_status try_hit(online_fixture *f, const char *visitor, bool *has_counted) {
	return mcp_online_hit(&f->online, mcp_bytes_of(visitor, strlen(visitor)), has_counted);
}

static void a_lost_answer_to_the_mark_is_settled(void **state) {
	online_fixture *f = *state;
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	for (size_t i = 0; i < 2; i++) {
		char name[16];
		snprintf(name, sizeof(name), "v%zu", i);
		world_watch(&f->world, 2, faults[i]);
		assert_true(hit(f, name));
		world_watch(&f->world, 0, WORLD_SOUND);
		assert_false(hit(f, name));
		pass_slots(f, 5);
		world_watch(&f->world, 2, faults[i]);
		assert_true(hit(f, name));
		world_watch(&f->world, 0, WORLD_SOUND);
		assert_false(hit(f, name));
	}
}

static void a_failed_count_takes_the_mark_back(void **state) {
	online_fixture *f = *state;
	bool has_counted;
	world_put(&f->world, "online:page:30000000", "hello", 0);
	assert_int_equal(MCP_NOT_A_NUMBER, try_hit(f, "anna", &has_counted));
	assert_false(has_counted);
	world_remove(&f->world, "online:page:30000000");
	assert_true(hit(f, "anna"));
	world_watch(&f->world, 3, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, try_hit(f, "bert", &has_counted));
	assert_false(has_counted);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_true(hit(f, "bert"));
	pass_slots(f, 1);
	assert_int_equal(2, count(f));
}

static void stand_still(test_world *world, unsigned call) {
	online_fixture *f = world->actor;
	if (call == f->at_call) {
		pass_slots(f, 2);
	}
}

/* Before the mark is left, it may be that other marks have come and gone. Afterwards it is there. */
static void who_stood_still_counts_where_he_wakes(void **state) {
	online_fixture *f = *state;
	static const char *const counted_in[] = {NULL, "online:page:30000002", "online:page:30000004",
		"online:page:30000004"};
	for (f->at_call = 1; f->at_call <= 3; f->at_call++) {
		char name[16];
		snprintf(name, sizeof(name), "v%u", f->at_call);
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = stand_still;
		assert_true(hit(f, name));
		f->world.before_call = NULL;
		assert_string_equal(f->at_call == 3 ? "2" : "1",
			world_peek(&f->world, counted_in[f->at_call]));
		assert_false(hit(f, name));
	}
}

static void the_same_visitor_elsewhere(test_world *world, unsigned call) {
	online_fixture *f = world->actor;
	if (call == f->at_call) {
		hit(f, "anna");
	}
}

static void two_requests_of_one_visitor_count_once(void **state) {
	online_fixture *f = *state;
	for (unsigned round = 1; round <= 6; round++) {
		world_watch(&f->world, 0, WORLD_SOUND);
		f->at_call = round;
		f->world.before_call = the_same_visitor_elsewhere;
		hit(f, "anna");
		f->world.before_call = NULL;
		hit(f, "anna");
		pass_slots(f, 1);
		assert_int_equal(1, count(f));
		pass_slots(f, 4 + round % 2);
	}
}

#define ONLINE_TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void) {
	const struct CMUnitTest tests[] = {
		ONLINE_TEST(only_ended_slots_are_counted),
		ONLINE_TEST(a_count_is_one_round_trip_and_a_slot_a_key),
		ONLINE_TEST(one_slot_is_the_form_with_two_keys),
		ONLINE_TEST(a_slot_made_late_is_counted_to_the_end),
		ONLINE_TEST(the_slots_are_shown_newest_first),
		ONLINE_TEST(a_visitor_counts_once_in_a_window),
		ONLINE_TEST(a_known_visitor_costs_one_round_trip),
		ONLINE_TEST(visitors_of_any_bytes_and_counters_are_told_apart),
		ONLINE_TEST(the_count_is_that_of_exact_sets_over_a_thousand_windows),
		ONLINE_TEST(smooth_is_near_the_true_window_at_steady_load),
		ONLINE_TEST(smooth_counts_who_stays_once),
		ONLINE_TEST(a_partial_answer_is_a_failure),
		ONLINE_TEST(a_failed_increment_says_so),
		ONLINE_TEST(a_lost_answer_to_the_mark_is_settled),
		ONLINE_TEST(a_failed_count_takes_the_mark_back),
		ONLINE_TEST(who_stood_still_counts_where_he_wakes),
		ONLINE_TEST(two_requests_of_one_visitor_count_once),
	};
	return cmocka_run_group_tests_name("online counter", tests, NULL, NULL);
}
