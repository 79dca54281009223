/* Holds a visitor's hit to O2 and O4: whom it counts, what it costs, and what it leaves when any of its
 * calls fails, stands still, or meets another request of the same visitor. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <cmocka.h>

#include "online_world.h"

ONLINE_TEST(a_visitor_is_in_the_slot_of_his_last_hit, w) {
	assert_true(hit(w, "anna"));
	assert_false(hit(w, "anna"));
	assert_true(hit(w, "bert"));
	assert_int_equal(2, count(w));
	pass_slots(w, 4);
	assert_false(hit(w, "anna"));
	assert_string_equal("1", stored_slot(w, FIRST_SLOT));
	assert_string_equal("1", stored_slot(w, FIRST_SLOT + 4));
	assert_int_equal(2, count(w));
	pass_slots(w, 2);
	assert_int_equal(1, count(w));
	assert_true(hit(w, "bert"));
	pass_slots(w, 3);
	assert_int_equal(2, count(w));
	pass_slots(w, 1);
	assert_int_equal(1, count(w));
}

/* Each number that is the first of its slot costs one more. */
ONLINE_TEST(a_hit_costs_the_round_trips_it_says, w) {
	static const struct {
		const char *visitor;
		unsigned slots_later, calls;
	} hits[] = {
		{"anna", 0, 4}, /* new, the first of her slot */
		{"anna", 0, 1}, /* counted */
		{"bert", 0, 3}, /* new */
		{"anna", 1, 5}, /* changes slots, the first of her new one */
		{"bert", 0, 4}, /* changes slots */
		{"anna", 6, 4}, /* later than a window, the first of her slot */
	};
	for (size_t i = 0; i < sizeof(hits) / sizeof(hits[0]); i++) {
		pass_slots(w, hits[i].slots_later);
		world_watch(&w->world, 0, WORLD_SOUND);
		hit(w, hits[i].visitor);
		assert_int_equal(hits[i].calls, w->world.calls);
	}
}

ONLINE_TEST(visitors_of_any_bytes_and_counters_are_told_apart, w) {
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
ONLINE_TEST(a_mark_lives_for_a_window_and_its_slot, w) {
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
ONLINE_TEST(what_is_no_mark_keeps_nobody_from_counting, w) {
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

/* Its calls: the read, the slot's number, the mark, and where she changes slots the number that she leaves. */
enum { READ = 1, COUNT, MARK, LEAVE };

/* Lets the next hit of anna be new, or one that changes slots, in a slot that has a number. */
static void prepare(online_world *w, bool is_new) {
	world_watch(&w->world, 0, WORLD_SOUND);
	pass_slots(w, 7);
	if (!is_new) {
		hit(w, "anna");
		pass_slots(w, 1);
	}
	hit(w, "bert");
	world_watch(&w->world, 0, WORLD_SOUND);
}

ONLINE_TEST(a_lost_answer_to_the_mark_is_settled, w) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	for (size_t i = 0; i < 4; i++) {
		prepare(w, i / 2);
		world_watch(&w->world, MARK, faults[i % 2]);
		assert_int_equal(i / 2, hit(w, "anna"));
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_false(hit(w, "anna"));
		assert_int_equal(2, count(w));
	}
}

ONLINE_TEST(what_cannot_be_counted_leaves_no_mark, w) {
	bool is_new;
	put_slot(w, FIRST_SLOT, "hello");
	assert_int_equal(MCP_NOT_A_NUMBER, try_hit(w, "anna", &is_new));
	assert_false(is_new);
	assert_null(stored_mark(w, "anna"));
	world_remove(&w->world, "online:page:30000000");
	assert_true(hit(w, "anna"));
	assert_int_equal(1, count(w));
}

ONLINE_TEST(a_refused_mark_counts_nobody_again, w) {
	for (int is_new = 0; is_new < 2; is_new++) {
		bool is_found_new;
		prepare(w, is_new);
		uint64_t before = count(w);
		for (int i = 0; i < 3; i++) {
			world_watch(&w->world, MARK, WORLD_REFUSED);
			assert_int_equal(MCP_REFUSED, try_hit(w, "anna", &is_found_new));
			world_watch(&w->world, 0, WORLD_SOUND);
			assert_int_equal(before, count(w));
		}
		assert_int_equal(is_new, hit(w, "anna"));
		assert_int_equal(2, count(w));
	}
}

/* Whatever failed: she may be in two slots, until the older one has left, and is never in none. */
ONLINE_TEST(who_could_not_be_counted_is_counted_next_time, w) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST, WORLD_DOWN,
		WORLD_DOWN_AFTER, WORLD_REFUSED_AFTER};
	for (size_t i = 0; i < 2 * sizeof(faults) / sizeof(faults[0]); i++) {
		for (unsigned call = READ; call <= LEAVE; call++) {
			bool is_new;
			prepare(w, i % 2);
			world_watch(&w->world, call, faults[i / 2]);
			mcp_status status = try_hit(w, "anna", &is_new);
			assert_false(is_new && status != MCP_OK);
			world_watch(&w->world, 0, WORLD_SOUND);
			hit(w, "anna");
			assert_in_range(count(w), 2, 3);
			for (unsigned slot = 0; slot < 6; slot++) {
				pass_slots(w, 1);
				hit(w, "anna");
			}
			assert_int_equal(1, count(w));
		}
	}
}

/* --- count and mark in one go --- */

ONLINE_TEST(a_new_visitor_is_two_calls_if_steps_are_taken, w) {
	world_take_steps(&w->world);
	for (int i = 0; i < 2; i++) { /* the second is not the first of its slot */
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_true(hit(w, i == 0 ? "anna" : "bert"));
		assert_int_equal(2, w->world.calls);
	}
	assert_false(hit(w, "anna"));
	assert_string_equal("2", stored_slot(w, FIRST_SLOT));
}

ONLINE_TEST(steps_that_fail_hide_nobody, w) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST, WORLD_DOWN,
		WORLD_DOWN_AFTER};
	world_take_steps(&w->world);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		bool is_new;
		prepare(w, true);
		world_watch(&w->world, COUNT, faults[i]);
		assert_int_not_equal(MCP_OK, try_hit(w, "anna", &is_new));
		assert_false(is_new);
		world_watch(&w->world, 0, WORLD_SOUND);
		hit(w, "anna");
		assert_int_equal(2, count(w));
	}
}

ONLINE_TEST(steps_leave_no_mark_of_what_they_cannot_count, w) {
	static const char *const numbers[] = {"hello", "9223372036854775807", "18446744073709551615"};
	bool is_new;
	world_take_steps(&w->world);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		put_slot(w, FIRST_SLOT, numbers[i]);
		mcp_status status = try_hit(w, "anna", &is_new);
		assert_int_equal(i == 0 ? MCP_NOT_A_NUMBER : MCP_OUT_OF_RANGE, status);
		assert_null(stored_mark(w, "anna"));
		assert_string_equal(numbers[i], stored_slot(w, FIRST_SLOT));
	}
}

/* --- beside others --- */

static void stand_still(test_world *world, unsigned call) {
	online_world *w = world->actor;
	if (call == w->at_call) {
		pass_slots(w, 2);
	}
}

ONLINE_TEST(who_stood_still_counts_where_he_began, w) {
	for (w->at_call = READ; w->at_call <= MARK; w->at_call++) {
		prepare(w, true);
		unsigned slot = (unsigned)mcp_window_slot(&w->online.window, w->world.wall_ms);
		w->world.before_call = stand_still;
		assert_true(hit(w, "anna"));
		w->world.before_call = NULL;
		assert_string_equal("2", stored_slot(w, slot));
		assert_false(hit(w, "anna"));
		assert_string_equal("1", stored_slot(w, slot));
		assert_int_equal(2, count(w));
	}
}

static void stand_still_for_long(test_world *world, unsigned call) {
	online_world *w = world->actor;
	if (call == w->at_call) {
		pass_slots(w, 9);
	}
}

/* Her slot is over for all: nobody asks for it, and the next hit is new. */
ONLINE_TEST(who_stood_still_for_a_window_keeps_nobody_from_counting, w) {
	for (w->at_call = READ; w->at_call <= LEAVE; w->at_call++) {
		bool is_new;
		prepare(w, w->at_call % 2);
		w->world.before_call = stand_still_for_long;
		assert_int_equal(MCP_OK, try_hit(w, "anna", &is_new));
		w->world.before_call = NULL;
		assert_int_equal(0, count(w));
		assert_true(hit(w, "anna"));
		assert_int_equal(1, count(w));
	}
}

static void the_same_visitor_elsewhere(test_world *world, unsigned call) {
	online_world *w = world->actor;
	if (call == w->at_call) {
		pass_slots(w, w->slots_between);
		hit(w, "anna");
	}
}

/* In one slot, and where the other one begins in a slot that comes then. */
ONLINE_TEST(two_requests_of_one_visitor_count_once, w) {
	for (unsigned round = 0; round < 16; round++) {
		prepare(w, round % 2);
		uint64_t slot = mcp_window_slot(&w->online.window, w->world.wall_ms);
		w->at_call = 1 + round / 4;
		w->slots_between = round / 2 % 2;
		w->world.before_call = the_same_visitor_elsewhere;
		hit(w, "anna");
		w->world.before_call = NULL;
		assert_int_equal(2, count(w));
		hit(w, "anna");
		pass_slots(w, 5);
		uint64_t now = mcp_window_slot(&w->online.window, w->world.wall_ms);
		assert_int_equal(now == slot + 5 ? 2 : 1, count(w));
	}
}
