/* Holds a visitor's hit to O2 and O4: whom it counts, what it costs, and what it leaves when any of its
 * calls fails, stands still, or meets another request of the same visitor. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "online_world.h"

static void a_visitor_counts_once_in_a_window(void **state) {
	online_world *w = *state;
	assert_true(hit(w, "anna"));
	assert_false(hit(w, "anna"));
	assert_true(hit(w, "bert"));
	pass_slots(w, 4);
	assert_false(hit(w, "anna"));
	pass_slots(w, 1);
	assert_int_equal(2, count(w));
	assert_true(hit(w, "anna"));
	assert_false(hit(w, "anna"));
	assert_int_equal(2, count(w));
	pass_slots(w, 1);
	assert_int_equal(1, count(w));
}

/* Each number that is the first of its slot costs one more. */
static void a_hit_costs_the_round_trips_it_says(void **state) {
	online_world *w = *state;
	static const struct {
		const char *visitor;
		unsigned slots_later, calls;
	} hits[] = {
		{"anna", 0, 4}, /* new, the first of her slot */
		{"anna", 0, 1}, /* counted */
		{"bert", 0, 3}, /* new */
		{"carl", 0, 3},
		{"anna", 5, 6}, /* again, the first of her slot, and of those who returned */
		{"bert", 0, 4}, /* again */
		{"dora", 1, 4}, {"carl", 0, 3}, /* later than a window */
	};
	for (size_t i = 0; i < sizeof(hits) / sizeof(hits[0]); i++) {
		pass_slots(w, hits[i].slots_later);
		world_watch(&w->world, 0, WORLD_SOUND);
		hit(w, hits[i].visitor);
		assert_int_equal(hits[i].calls, w->world.calls);
	}
}

static void visitors_of_any_bytes_and_counters_are_told_apart(void **state) {
	online_world *w = *state;
	static char longest[100000];
	memset(longest, 'x', sizeof(longest) - 1);
	assert_true(hit(w, longest));
	assert_false(hit(w, longest));
	assert_true(hit(w, "a b\n\r\xff"));
	assert_true(hit(w, "a b\n\r"));
	assert_true(hit(w, ""));
	online_world other = *w;
	mcp_key_buffer buffer;
	other.key = world_key(&buffer, MCP_SPACE_ONLINE, "pagea");
	other.online.key = &other.key;
	other.online.name = mcp_bytes_of("pagea", 5);
	assert_true(hit(&other, "b"));
	assert_true(hit(w, "ab"));
	assert_true(hit(&other, "ab"));
	assert_true(hit(&other, longest));
}

/* In the last moment of its use, and not for long afterwards. */
static void a_mark_lives_for_a_window_and_its_slot(void **state) {
	online_world *w = *state;
	for (unsigned late_ms = 0; late_ms < SLOT_MS; late_ms += 7321) {
		w->world.wall_ms = WORLD_START_MS + late_ms;
		assert_true(hit(w, "anna"));
		w->world.wall_ms = WORLD_START_MS + 6 * SLOT_MS - 1;
		assert_non_null(stored_mark(w, "anna"));
		w->world.wall_ms = WORLD_START_MS + 6 * SLOT_MS + 3000;
		assert_null(stored_mark(w, "anna"));
	}
}

/* Nor a mark of a slot that cannot be yet: a leftover of other settings. */
static void what_is_no_mark_keeps_nobody_from_counting(void **state) {
	online_world *w = *state;
	static const char *const foreign[] = {"", " ", "hello", "30000000", "-1 0123456789abcdef",
		" 0123", "30000000x 0123", "18446744073709551616 0123", "9223372036854775808 0123",
		"30000006 0123"};
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		put_mark(w, "anna", foreign[i]);
		assert_true(hit(w, "anna"));
		assert_false(hit(w, "anna"));
	}
	put_mark(w, "anna", "30000005 0123");
	assert_false(hit(w, "anna"));
}

/* --- when the server does not answer --- */

static void a_lost_answer_to_the_mark_is_settled(void **state) {
	online_world *w = *state;
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	for (size_t i = 0; i < 2; i++) {
		char name[16];
		snprintf(name, sizeof(name), "v%zu", i);
		world_watch(&w->world, 2, faults[i]);
		assert_true(hit(w, name));
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_false(hit(w, name));
		pass_slots(w, 5);
		world_watch(&w->world, 2, faults[i]);
		assert_true(hit(w, name));
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_false(hit(w, name));
	}
}

static void a_failed_count_takes_the_mark_back(void **state) {
	online_world *w = *state;
	bool has_counted;
	world_put(&w->world, "online:page:30000000", "hello", 0);
	assert_int_equal(MCP_NOT_A_NUMBER, try_hit(w, "anna", &has_counted));
	assert_false(has_counted);
	world_remove(&w->world, "online:page:30000000");
	assert_null(stored_mark(w, "anna"));
	assert_true(hit(w, "anna"));
	world_watch(&w->world, 3, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_UNKNOWN, try_hit(w, "bert", &has_counted));
	assert_false(has_counted);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_true(hit(w, "bert"));
	pass_slots(w, 1);
	assert_int_equal(2, count(w));
}

static void a_refused_mark_that_is_there_after_all_is_taken_back(void **state) {
	online_world *w = *state;
	bool has_counted;
	world_watch(&w->world, 2, WORLD_REFUSED_AFTER);
	assert_int_equal(MCP_REFUSED, try_hit(w, "anna", &has_counted));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_null(stored_mark(w, "anna"));
	assert_true(hit(w, "anna"));
}

static void a_mark_is_taken_back_though_the_delete_has_no_answer(void **state) {
	online_world *w = *state;
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	put_slot(w, FIRST_SLOT, "hello");
	for (size_t i = 0; i < 2; i++) {
		bool has_counted;
		world_watch(&w->world, 5, faults[i]);
		assert_int_equal(MCP_NOT_A_NUMBER, try_hit(w, "anna", &has_counted));
		assert_int_equal(i == 0 ? 6 : 7, w->world.calls);
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_null(stored_mark(w, "anna"));
	}
}

static mcp_status hit_while_down_after(online_world *w, unsigned call, unsigned is_back_for) {
	bool has_counted;
	w->is_back_for = is_back_for;
	w->insisted = 0;
	world_watch(&w->world, call, WORLD_DOWN_AFTER);
	mcp_status status = try_hit(w, "anna", &has_counted);
	assert_int_equal(status == MCP_OK, has_counted);
	world_watch(&w->world, 0, WORLD_SOUND);
	return status;
}

/* Its calls: the read, the mark, the slot's number, the slot's first number. The first time she is new,
 * the second time she counts again. */
static void a_server_that_can_still_be_asked_keeps_no_mark_of_a_failed_hit(void **state) {
	online_world *w = *state;
	static const mcp_status expected[] = {MCP_OK, MCP_TIMEOUT, MCP_OK, MCP_UNKNOWN, MCP_UNKNOWN};
	const unsigned any = MCP_INSIST_TO_SETTLE | MCP_INSIST_TO_GIVE_BACK;
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned call = 1; call <= 4; call++) {
			assert_int_equal(expected[call], hit_while_down_after(w, call, any));
			assert_int_equal(expected[call] != MCP_OK, hit(w, "anna"));
			assert_false(hit(w, "anna"));
			pass_slots(w, round == 0 ? 7 : 5);
		}
	}
}

/* A mark that was not left is not asked for. */
static void a_hit_that_left_no_mark_insists_on_nothing(void **state) {
	online_world *w = *state;
	assert_int_equal(MCP_TIMEOUT, hit_while_down_after(w, 1, 0));
	assert_int_equal(0, w->insisted);
	hit(w, "anna");
	assert_int_equal(MCP_TIMEOUT, hit_while_down_after(w, 1, 0));
	assert_int_equal(0, w->insisted);
}

static void a_mark_that_could_not_be_settled_is_taken_back(void **state) {
	online_world *w = *state;
	for (unsigned round = 0; round < 2; round++) {
		assert_int_equal(MCP_UNKNOWN, hit_while_down_after(w, 2, MCP_INSIST_TO_GIVE_BACK));
		assert_null(stored_mark(w, "anna"));
		assert_true(hit(w, "anna"));
		pass_slots(w, 5);
	}
}

/* The price of a longer outage: missing, and never for longer than the mark. */
static void who_could_not_be_settled_counts_again_a_window_later(void **state) {
	online_world *w = *state;
	for (unsigned call = 2; call <= 4; call++) {
		assert_int_equal(MCP_UNKNOWN, hit_while_down_after(w, call, 0));
		assert_int_equal(call == 2 ? 3 : 2, w->insisted);
		assert_false(hit(w, "anna"));
		pass_slots(w, 4);
		assert_false(hit(w, "anna"));
		assert_int_equal(call == 4, count(w));
		pass_slots(w, 1);
		assert_true(hit(w, "anna"));
		pass_slots(w, 7);
	}
}

/* --- beside others --- */

static void stand_still(test_world *world, unsigned call) {
	online_world *w = world->actor;
	if (call == w->at_call) {
		pass_slots(w, 2);
	}
}

/* Before the mark is left, it may be that other marks have come and gone. Afterwards it is there. */
static void who_stood_still_counts_where_he_wakes(void **state) {
	online_world *w = *state;
	static const char *const counted_in[] = {NULL, "online:page:30000002", "online:page:30000004",
		"online:page:30000004"};
	for (w->at_call = 1; w->at_call <= 3; w->at_call++) {
		char name[16];
		snprintf(name, sizeof(name), "v%u", w->at_call);
		world_watch(&w->world, 0, WORLD_SOUND);
		w->world.before_call = stand_still;
		assert_true(hit(w, name));
		w->world.before_call = NULL;
		assert_string_equal(w->at_call == 3 ? "2" : "1",
			world_peek(&w->world, counted_in[w->at_call]));
		assert_false(hit(w, name));
	}
}

/* Meets, right before it looks, the mark of long ago: this one stands still for long enough that the mark it
 * should have met has gone, and another that stood still has left the one that it is about to take back. */
static void meet_a_mark_of_long_ago(test_world *world, unsigned call) {
	online_world *w = world->actor;
	if (call == 1) {
		char mark[32];
		snprintf(mark, sizeof(mark), "%u token", (unsigned)FIRST_SLOT - 5);
		pass_slots(w, 2);
		put_mark(w, "anna", mark);
	}
}

static void a_mark_of_long_ago_proves_nothing_to_who_stood_still(void **state) {
	online_world *w = *state;
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = meet_a_mark_of_long_ago;
	assert_true(hit(w, "anna"));
	w->world.before_call = NULL;
	assert_null(world_peek(&w->world, "online:page:30000000"));
	assert_string_equal("1", world_peek(&w->world, "online:page:30000002"));
	assert_false(hit(w, "anna"));
}

static void the_same_visitor_elsewhere(test_world *world, unsigned call) {
	online_world *w = world->actor;
	if (call == w->at_call) {
		hit(w, "anna");
	}
}

static void two_requests_of_one_visitor_count_once(void **state) {
	online_world *w = *state;
	for (unsigned round = 1; round <= 6; round++) {
		world_watch(&w->world, 0, WORLD_SOUND);
		w->at_call = round;
		w->world.before_call = the_same_visitor_elsewhere;
		hit(w, "anna");
		w->world.before_call = NULL;
		hit(w, "anna");
		pass_slots(w, 1);
		assert_int_equal(1, count(w));
		pass_slots(w, 4 + round % 2);
	}
}

static void come_a_window_later(test_world *world, unsigned call) {
	online_world *w = world->actor;
	if (call == w->at_call) {
		pass_slots(w, 5);
		assert_true(hit(w, "anna"));
	}
}

/* Before the read of the mark that is to go, and between that and the delete. */
static void another_requests_mark_is_not_taken_back(void **state) {
	online_world *w = *state;
	for (w->at_call = 4; w->at_call <= 5; w->at_call++) {
		bool has_counted;
		put_slot(w, (unsigned)mcp_window_slot(&w->online.window, w->world.wall_ms), "hello");
		world_watch(&w->world, 0, WORLD_SOUND);
		w->world.before_call = come_a_window_later;
		assert_int_equal(MCP_NOT_A_NUMBER, try_hit(w, "anna", &has_counted));
		w->world.before_call = NULL;
		assert_false(hit(w, "anna"));
		pass_slots(w, 7);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		ONLINE_TEST(a_visitor_counts_once_in_a_window),
		ONLINE_TEST(a_hit_costs_the_round_trips_it_says),
		ONLINE_TEST(visitors_of_any_bytes_and_counters_are_told_apart),
		ONLINE_TEST(a_mark_lives_for_a_window_and_its_slot),
		ONLINE_TEST(what_is_no_mark_keeps_nobody_from_counting),
		ONLINE_TEST(a_lost_answer_to_the_mark_is_settled),
		ONLINE_TEST(a_failed_count_takes_the_mark_back),
		ONLINE_TEST(a_refused_mark_that_is_there_after_all_is_taken_back),
		ONLINE_TEST(a_mark_is_taken_back_though_the_delete_has_no_answer),
		ONLINE_TEST(a_server_that_can_still_be_asked_keeps_no_mark_of_a_failed_hit),
		ONLINE_TEST(a_hit_that_left_no_mark_insists_on_nothing),
		ONLINE_TEST(a_mark_that_could_not_be_settled_is_taken_back),
		ONLINE_TEST(who_could_not_be_settled_counts_again_a_window_later),
		ONLINE_TEST(who_stood_still_counts_where_he_wakes),
		ONLINE_TEST(a_mark_of_long_ago_proves_nothing_to_who_stood_still),
		ONLINE_TEST(two_requests_of_one_visitor_count_once),
		ONLINE_TEST(another_requests_mark_is_not_taken_back),
	};
	return cmocka_run_group_tests_name("online counter's hit", tests, NULL, NULL);
}
