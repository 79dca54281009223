/* Holds the drain to K4: against counters and other drains at every call, with every call's answer or
 * request lost, and with a guard that runs out. */
/* SPDX-License-Identifier: MIT */
#include "counter_world.h"

COUNTER_TEST(a_drain_takes_all_there_is, f) {
	assert_int_equal(MCP_OK, counter_drain(f));
	assert_int_equal(0, f->number);
	assert_null(world_peek(&f->world, ITEM));
	counter_start(f, 0, 123);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, counter_drain(f));
	assert_int_equal(5, f->world.calls);
	assert_int_equal(123, f->number);
	assert_int_equal(0, counter_rest(f));
	assert_int_equal(MCP_OK, counter_drain(f));
	assert_int_equal(0, f->number);
}

static void another_counts(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	int64_t number;
	if (call == f->at_call) {
		assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 10, &number));
	}
}

COUNTER_TEST(nothing_is_lost_wherever_another_counts, f) {
	int64_t counted = 0, drained = 0;
	for (f->at_call = 1; f->at_call <= 5; f->at_call++) {
		counter_start(f, 0, 7);
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = another_counts;
		assert_int_equal(MCP_OK, counter_drain(f));
		f->world.before_call = NULL;
		counted += 17;
		drained += f->number;
		assert_int_equal(counted, drained + counter_rest(f));
	}
}

static void another_drains_at_once(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	if (call == f->at_call) {
		mcp_counter other = f->counter;
		int64_t taken;
		other.wait_ms = 0;
		mcp_counter_drain(&other, &taken);
		f->drained += taken;
	}
}

COUNTER_TEST(nothing_is_taken_twice_wherever_another_drains, f) {
	int64_t counted = 0;
	for (f->at_call = 1; f->at_call <= 5; f->at_call++) {
		counter_start(f, 0, 100);
		counted += 100;
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = another_drains_at_once;
		assert_int_equal(MCP_OK, counter_drain(f));
		f->world.before_call = NULL;
		f->drained += f->number;
		assert_int_equal(counted, f->drained + counter_rest(f));
	}
}

/* Overtakes the drain: the guard runs out, and somebody else drains and counts. */
static void be_overtaken(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	if (call != f->at_call) {
		return;
	}
	int64_t taken, number;
	world_pass(world, 3000);
	assert_int_equal(MCP_OK, mcp_counter_drain(&f->counter, &taken));
	f->drained += taken;
	assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 10, &number));
}

COUNTER_TEST(a_drain_that_was_overtaken_takes_nothing_blindly, f) {
	static const uint64_t waits_ms[] = {2500, 5000};
	for (size_t i = 0; i < 2; i++) {
		f->counter.wait_ms = waits_ms[i];
		mcp_counter_set(&f->counter, 100);
		f->drained = 0;
		world_watch(&f->world, 0, WORLD_SOUND);
		f->at_call = 2;
		f->world.before_call = be_overtaken;
		assert_int_equal(i == 0 ? MCP_NOT_STORED : MCP_OK, counter_drain(f));
		f->world.before_call = NULL;
		assert_int_equal(i == 0 ? 0 : 10, f->number);
		assert_int_equal(110, f->drained + f->number + counter_rest(f));
	}
}

COUNTER_TEST(a_decrement_that_came_too_late_is_unknown, f) {
	counter_start(f, 0, 100);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->at_call = 3;
	f->world.before_call = be_overtaken;
	assert_int_equal(MCP_UNKNOWN, counter_drain(f));
	assert_int_equal(100, f->drained);
}

/* Makes the drain late: the guard runs out, and another drain, which has it now, is about to subtract what it
 * has read. */
static void be_late(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	if (call == 3) {
		int64_t number;
		mcp_key_buffer buffer;
		mcp_key guard = mcp_counter_guard_key(&buffer, &f->key, MCP_COUNTER_DUTY_DRAIN);
		world_pass(world, 3000);
		world_put(world, guard.wire.data, "lock1 never 0000000000000001 another", 0);
		assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 10, &number));
	}
}

/* Lets only time pass: as long as the drain was late, nobody could have the guard but it. */
static void only_time_passes(test_world *world, unsigned call) {
	if (call == 3) {
		world_pass(world, 1000 + MCP_LOCK_SKEW_MS - 1);
	}
}

COUNTER_TEST(a_late_decrement_under_a_guard_that_nobody_could_take_over_is_certain, f) {
	counter_start(f, 0, 100);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = only_time_passes;
	assert_int_equal(MCP_OK, counter_drain(f));
	assert_int_equal(100, f->number);
}

COUNTER_TEST(a_late_decrement_is_unknown_even_when_something_is_left, f) {
	counter_start(f, 0, 100);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = be_late;
	assert_int_equal(MCP_UNKNOWN, counter_drain(f));
	assert_int_equal(100, f->number);
	assert_int_equal(10, counter_rest(f));
}

COUNTER_TEST(a_drain_waits_for_another_no_longer_than_its_wait, f) {
	counter_start(f, 0, 100);
	mcp_key_buffer buffer;
	mcp_key guard = mcp_counter_guard_key(&buffer, &f->key, MCP_COUNTER_DUTY_DRAIN);
	world_put(&f->world, guard.wire.data, "dead", 0);
	uint64_t before_ms = f->world.monotonic_ms;
	assert_int_equal(MCP_NOT_STORED, counter_drain(f));
	assert_int_equal(2500, f->world.monotonic_ms - before_ms);
	assert_int_equal(100, counter_rest(f));
}

/* Whatever call dies, the guard is gone within the default wait of those who come next. */
COUNTER_TEST(a_drain_killed_at_any_call_holds_up_nobody, f) {
	for (unsigned call = 1; call <= 5; call++) {
		mcp_counter_set(&f->counter, 100);
		world_watch(&f->world, call, WORLD_DOWN);
		mcp_status status = counter_drain(f);
		int64_t taken = status == MCP_OK ? f->number : 0;
		world_watch(&f->world, 0, WORLD_SOUND);
		assert_int_equal(100, taken + counter_rest(f));
		assert_int_equal(MCP_OK, counter_drain(f));
		assert_int_equal(100 - taken, f->number);
	}
}

static uint32_t reply_takes_ms;

static void be_slow(test_world *world, unsigned call) {
	world_pass(world, reply_takes_ms);
}

/* A number that could not be subtracted in time, going by what the read took, is left where it is. */
COUNTER_TEST(replies_too_slow_for_the_guard_leave_the_number, f) {
	f->world.before_call = be_slow;
	for (reply_takes_ms = 0; reply_takes_ms <= 1500; reply_takes_ms += 50) {
		f->world.before_call = NULL;
		mcp_counter_set(&f->counter, 100);
		f->world.before_call = be_slow;
		uint64_t before_ms = f->world.monotonic_ms;
		mcp_status status = counter_drain(f);
		assert_true(f->world.monotonic_ms - before_ms <= 2500 + 5 * reply_takes_ms);
		f->world.before_call = NULL;
		assert_int_equal(reply_takes_ms < 334 ? MCP_OK : MCP_NOT_STORED, status);
		assert_int_equal(status == MCP_OK ? 100 : 0, f->number);
		assert_int_equal(100 - f->number, counter_rest(f));
	}
}

static void slow_the_once(test_world *world, unsigned call) {
	if (call == 2) {
		world_pass(world, 600);
	}
}

COUNTER_TEST(one_slow_read_is_tried_again, f) {
	counter_start(f, 0, 100);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = slow_the_once;
	assert_int_equal(MCP_OK, counter_drain(f));
	assert_int_equal(100, f->number);
}

/* Counts beyond the largest number for another process, which is about to take that back. */
static void overflow_meanwhile(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	uint64_t reached;
	if (call == 3) {
		mcp_store_increment(world->memory, &f->key, INT64_MAX, &reached);
	}
}

COUNTER_TEST(an_overflow_under_way_is_not_drained, f) {
	counter_start(f, 0, 100);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = overflow_meanwhile;
	assert_int_equal(MCP_OUT_OF_RANGE, counter_drain(f));
	f->world.before_call = NULL;
	assert_int_equal(0, f->number);
	uint64_t reached;
	mcp_store_increment(f->world.memory, &f->key, 0 - (uint64_t)INT64_MAX, &reached);
	assert_int_equal(100, counter_rest(f));
}

COUNTER_TEST(a_decrement_without_an_answer_is_unknown_and_says_how_much, f) {
	counter_start(f, 0, 100);
	world_watch(&f->world, 3, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, counter_drain(f));
	assert_int_equal(100, f->number);
	assert_int_equal(0, counter_rest(f));
}

COUNTER_TEST(what_is_given_back_is_counted_again, f) {
	counter_start(f, 0, 100);
	counter_drain(f);
	counter_start(f, 0, 5);
	assert_int_equal(MCP_OK, mcp_counter_give_back(&f->counter, 1000, 100));
	assert_int_equal(105, counter_rest(f));
	assert_int_equal(MCP_OK, mcp_counter_give_back(&f->counter, 1000, 0));
	assert_int_equal(105, counter_rest(f));
}

/* As if it had been counted there, so that it makes no difference who is the first to come. */
COUNTER_TEST(what_is_given_back_to_nothing_starts_from_the_initial, f) {
	assert_int_equal(MCP_OK, mcp_counter_give_back(&f->counter, 0, 100));
	assert_int_equal(100, counter_rest(f));
	world_remove(&f->world, ITEM);
	assert_int_equal(MCP_OK, mcp_counter_give_back(&f->counter, 1000, 100));
	assert_int_equal(1100, counter_rest(f));
	world_remove(&f->world, ITEM);
	assert_int_equal(MCP_OK, mcp_counter_give_back(&f->counter, 1000, 0));
	assert_null(world_peek(&f->world, ITEM));
}
