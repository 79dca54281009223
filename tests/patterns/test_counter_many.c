/* Holds the drain of many counters to K4, as test_counter_drain.c does the drain of one: against counters and other drains
 * at every call, with every call's answer or request lost, with guards that run out, and with those that dead drains have
 * left. */
/* SPDX-License-Identifier: MIT */
#include "world.h"

#include "../../src/patterns/counter/counter.h"
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { COUNTERS = 4, CROWD = 2500 };

static const char *const names[COUNTERS] = {"a", "b", "absent", "d"};
static const int64_t counted[COUNTERS] = {100, 7, 0, 30};

typedef struct many_fixture {
	test_world world;
	mcp_counter counter;
	mcp_key_buffer buffers[COUNTERS];
	mcp_counter_one ones[COUNTERS];
	void *memory;
	mcp_counter_scratch scratch;
	unsigned at_call;
	int64_t drained[COUNTERS]; /* by the other actor */
	int64_t more[COUNTERS];    /* counted by the other actor */
} many_fixture;

static int open(void **state) {
	static many_fixture fixture;
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.world.actor = &fixture;
	fixture.memory = malloc(mcp_counter_scratch_size(MCP_COUNTER_MANY_MAX));
	fixture.scratch = mcp_counter_scratch_in(fixture.memory, MCP_COUNTER_MANY_MAX);
	fixture.counter = (mcp_counter){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
	};
	for (int i = 0; i < COUNTERS; i++) {
		fixture.ones[i].key = world_key(&fixture.buffers[i], MCP_SPACE_COUNTER, names[i]);
	}
	*state = &fixture;
	return 0;
}

static int close(void **state) {
	many_fixture *f = *state;
	free(f->memory);
	world_close(&f->world);
	return 0;
}

/* Makes a counter by itself, for a moment. */
static mcp_counter one_of(many_fixture *f, int i) {
	mcp_counter one = f->counter;
	one.store = f->world.memory;
	one.key = &f->ones[i].key;
	return one;
}

static void fill(many_fixture *f) {
	f->world.before_call = NULL;
	world_watch(&f->world, 0, WORLD_SOUND);
	world_pass(&f->world, 10000); /* guards that were left behind are over */
	for (int i = 0; i < COUNTERS; i++) {
		mcp_counter one = one_of(f, i);
		f->drained[i] = f->more[i] = 0;
		if (counted[i] > 0) {
			mcp_counter_set(&one, counted[i]);
		} else {
			mcp_counter_reset(&one);
		}
	}
}

static void drain(many_fixture *f) {
	mcp_counter_drain_many(&f->counter, f->ones, COUNTERS, &f->scratch);
}

static int64_t rest_of(many_fixture *f, int i) {
	mcp_counter one = one_of(f, i);
	int64_t number = 0;
	mcp_counter_read(&one, &number);
	return number;
}

static bool has_guard(many_fixture *f, int i) {
	mcp_key_buffer buffer;
	mcp_key guard = mcp_counter_guard_key(&buffer, &f->ones[i].key, MCP_COUNTER_DUTY_DRAIN);
	return world_peek(&f->world, guard.wire.data) != NULL;
}

static int64_t taken_of(const many_fixture *f, int i) {
	return f->ones[i].status == MCP_OK ? f->ones[i].taken : 0;
}

/* Asserts that nothing is lost and nothing counted twice; of what is not known, one of the two is true. */
static void assert_sums(many_fixture *f) {
	for (int i = 0; i < COUNTERS; i++) {
		int64_t all = counted[i] + f->more[i];
		int64_t known = taken_of(f, i) + f->drained[i] + rest_of(f, i);
		if (f->ones[i].status == MCP_UNKNOWN) {
			assert_true(known == all || known + f->ones[i].taken == all);
		} else {
			assert_int_equal(all, known);
		}
	}
}

#define MANY_TEST(name, f) TEST_OF(many_fixture, name, f, open, close)

MANY_TEST(all_are_drained_and_no_guard_is_left, f) {
	fill(f);
	drain(f);
	/* Four guards, one read, three subtractions, four guards. */
	assert_int_equal(4 + 1 + 3 + 4, f->world.calls);
	for (int i = 0; i < COUNTERS; i++) {
		assert_int_equal(MCP_OK, f->ones[i].status);
		assert_int_equal(counted[i], f->ones[i].taken);
		assert_int_equal(0, rest_of(f, i));
		assert_false(has_guard(f, i));
	}
	assert_null(world_peek(&f->world, "absent"));
}

static void another_counts(test_world *world, unsigned call) {
	many_fixture *f = world->actor;
	for (int i = 0; call == f->at_call && i < COUNTERS; i++) {
		mcp_counter one = one_of(f, i);
		int64_t number;
		assert_int_equal(MCP_OK, mcp_counter_start(&one, 0, 10, &number));
		f->more[i] += 10;
	}
}

MANY_TEST(nothing_is_lost_wherever_another_counts, f) {
	for (unsigned call = 1; call <= 12; call++) {
		fill(f);
		f->at_call = call;
		f->world.before_call = another_counts;
		drain(f);
		f->world.before_call = NULL;
		assert_int_equal(10, f->more[0]);
		assert_sums(f);
	}
}

static void another_drains(test_world *world, unsigned call) {
	many_fixture *f = world->actor;
	for (int i = 0; call == f->at_call && i < COUNTERS; i++) {
		mcp_counter one = one_of(f, i);
		int64_t taken;
		mcp_counter_drain(&one, &taken);
		f->drained[i] += taken;
	}
}

MANY_TEST(nothing_is_taken_twice_wherever_another_drains, f) {
	for (unsigned call = 1; call <= 12; call++) {
		fill(f);
		f->at_call = call;
		f->world.before_call = another_drains;
		drain(f);
		assert_sums(f);
	}
}

/* Overtakes the drain: the guards run out, and somebody else drains and counts. */
static void be_overtaken(test_world *world, unsigned call) {
	many_fixture *f = world->actor;
	if (call == f->at_call) {
		world_pass(world, 3000);
		another_drains(world, call);
		another_counts(world, call);
	}
}

/* Where the subtraction had been decided on, what another has taken is not known to be ours, and what it had left is
 * what both have taken. */
MANY_TEST(who_was_overtaken_is_not_certain, f) {
	for (unsigned call = 1; call <= 12; call++) {
		fill(f);
		f->at_call = call;
		f->world.before_call = be_overtaken;
		drain(f);
		f->world.before_call = NULL;
		for (int i = 0; i < COUNTERS; i++) {
			bool is_known = f->ones[i].status == MCP_OK || f->ones[i].status == MCP_NOT_STORED;
			int64_t all = counted[i] + f->more[i];
			assert_true(is_known || f->ones[i].status == MCP_UNKNOWN);
			assert_true(!is_known || all == taken_of(f, i) + f->drained[i] + rest_of(f, i));
		}
		assert_int_equal(call >= 6 ? MCP_UNKNOWN : MCP_OK, f->ones[3].status);
	}
}

MANY_TEST(a_guard_of_another_is_left_alone, f) {
	mcp_key_buffer buffer;
	mcp_key guard = mcp_counter_guard_key(&buffer, &f->ones[1].key, MCP_COUNTER_DUTY_DRAIN);
	fill(f);
	world_put(&f->world, guard.wire.data, "lock1 never 0000000000000001 another", 0);
	uint64_t before_ms = f->world.monotonic_ms;
	drain(f);
	assert_int_equal(before_ms, f->world.monotonic_ms);
	assert_int_equal(MCP_NOT_STORED, f->ones[1].status);
	assert_int_equal(0, f->ones[1].taken);
	assert_int_equal(7, rest_of(f, 1));
	assert_string_equal("lock1 never 0000000000000001 another",
		world_peek(&f->world, guard.wire.data));
	assert_int_equal(MCP_OK, f->ones[0].status);
	assert_int_equal(MCP_OK, f->ones[3].status);
	assert_sums(f);
}

MANY_TEST(what_a_dead_drain_has_left_is_taken_over_when_its_time_is_over, f) {
	fill(f);
	world_watch(&f->world, 6, WORLD_DOWN);
	drain(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_true(has_guard(f, 0) && has_guard(f, 1) && has_guard(f, 3));
	drain(f);
	assert_int_equal(MCP_NOT_STORED, f->ones[0].status);
	assert_int_equal(MCP_NOT_STORED, f->ones[1].status);
	world_pass(&f->world, 2000);
	drain(f);
	for (int i = 0; i < COUNTERS; i++) {
		assert_int_equal(MCP_OK, f->ones[i].status);
		assert_int_equal(counted[i], f->ones[i].taken);
		assert_false(has_guard(f, i));
	}
}

/* Says whether it is a lie: once a subtraction says that it was refused, it was, and nobody can do anything
 * about a server that lies about it. */
static bool is_a_lie(world_fault fault, unsigned call) {
	return fault == WORLD_REFUSED_AFTER && call >= 6 && call <= 8;
}

/* Whatever is lost, and at whatever call. */
MANY_TEST(faults_lose_and_double_nothing, f) {
	static const world_fault faults[] = {WORLD_DOWN, WORLD_DOWN_AFTER, WORLD_REQUEST_LOST,
		WORLD_REPLY_LOST, WORLD_REFUSED_AFTER};
	for (size_t fault = 0; fault < sizeof(faults) / sizeof(*faults); fault++) {
		for (unsigned call = 1; call <= 16; call++) {
			fill(f);
			world_watch(&f->world, call,
				is_a_lie(faults[fault], call) ? WORLD_SOUND : faults[fault]);
			drain(f);
			assert_sums(f);
			/* And who comes next takes the rest. */
			for (int i = 0; i < COUNTERS; i++) {
				f->drained[i] +=
					f->ones[i].status == MCP_UNKNOWN ? counted[i] - rest_of(f, i) : taken_of(f, i);
			}
			world_watch(&f->world, 0, WORLD_SOUND);
			world_pass(&f->world, 2000);
			drain(f);
			for (int i = 0; i < COUNTERS; i++) {
				assert_int_equal(MCP_OK, f->ones[i].status);
				assert_int_equal(0, rest_of(f, i));
			}
			assert_sums(f);
		}
	}
}

/* An amount lost of one is no matter of the others. */
MANY_TEST(a_subtraction_without_an_answer_says_how_much, f) {
	fill(f);
	world_watch(&f->world, 7, WORLD_REPLY_LOST);
	drain(f);
	/* The guards are looked at once more: their ids of before may be another connection's. */
	assert_int_equal(4 + 1 + 3 + 1 + 4, f->world.calls);
	assert_int_equal(MCP_OK, f->ones[0].status);
	assert_int_equal(MCP_UNKNOWN, f->ones[1].status);
	assert_int_equal(7, f->ones[1].taken);
	assert_int_equal(0, rest_of(f, 1));
	assert_int_equal(MCP_OK, f->ones[3].status);
	for (int i = 0; i < COUNTERS; i++) {
		assert_false(has_guard(f, i));
	}
}

MANY_TEST(what_is_no_number_stays_and_the_others_are_drained, f) {
	fill(f);
	world_put(&f->world, "a", "text", 0);
	world_put(&f->world, "d", "18446744073709551615", 0);
	drain(f);
	assert_int_equal(MCP_NOT_A_NUMBER, f->ones[0].status);
	assert_int_equal(MCP_OK, f->ones[1].status);
	assert_int_equal(MCP_OUT_OF_RANGE, f->ones[3].status);
	assert_int_equal(0, f->ones[0].taken);
	assert_string_equal("text", world_peek(&f->world, "a"));
	assert_string_equal("18446744073709551615", world_peek(&f->world, "d"));
	for (int i = 0; i < COUNTERS; i++) {
		assert_false(has_guard(f, i));
	}
}

/* Counts beyond the largest number for another one, which is about to take that back. */
static void overflow_meanwhile(test_world *world, unsigned call) {
	many_fixture *f = world->actor;
	uint64_t reached;
	if (call == 6) {
		mcp_store_increment(world->memory, &f->ones[0].key, INT64_MAX, &reached);
	}
}

MANY_TEST(an_overflow_under_way_is_not_drained, f) {
	uint64_t reached;
	fill(f);
	f->world.before_call = overflow_meanwhile;
	drain(f);
	assert_int_equal(MCP_OUT_OF_RANGE, f->ones[0].status);
	assert_int_equal(0, f->ones[0].taken);
	mcp_store_increment(f->world.memory, &f->ones[0].key, 0 - (uint64_t)INT64_MAX, &reached);
	assert_int_equal(100, rest_of(f, 0));
	assert_int_equal(MCP_OK, f->ones[1].status);
}

static uint32_t reply_takes_ms;

static void be_slow(test_world *world, unsigned call) {
	world_pass(world, reply_takes_ms);
}

/* As many are taken together as can be while their guards are held, down to one. */
MANY_TEST(slow_servers_are_drained_in_smaller_steps, f) {
	for (reply_takes_ms = 0; reply_takes_ms <= 400; reply_takes_ms += 10) {
		fill(f);
		f->scratch.pace = 0;
		f->world.before_call = be_slow;
		drain(f);
		f->world.before_call = NULL;
		for (int i = 0; i < COUNTERS; i++) {
			assert_int_equal(reply_takes_ms < 250 ? MCP_OK : MCP_NOT_STORED, f->ones[i].status);
			assert_false(has_guard(f, i));
		}
		assert_sums(f);
	}
}

/* A step that was too slow takes nothing, not even where a dead drain has left its guard: the next step would forget it. */
MANY_TEST(slow_servers_lose_nothing_of_what_a_dead_drain_has_left, f) {
	mcp_key_buffer buffer;
	mcp_key guard = mcp_counter_guard_key(&buffer, &f->ones[0].key, MCP_COUNTER_DUTY_DRAIN);
	for (reply_takes_ms = 0; reply_takes_ms <= 240; reply_takes_ms += 10) {
		fill(f);
		world_put(&f->world, guard.wire.data, "lock1 1000 0000000000000001 another", 0);
		f->scratch.pace = 0;
		f->world.before_call = be_slow;
		drain(f);
		f->world.before_call = NULL;
		assert_sums(f);
		assert_int_equal(MCP_OK, f->ones[3].status);
	}
}

/* Smaller steps would only wait for each counter. */
MANY_TEST(who_does_not_reply_is_asked_once, f) {
	fill(f);
	f->scratch.pace = 0;
	reply_takes_ms = 500;
	f->world.before_call = be_slow;
	world_watch(&f->world, 1, WORLD_DOWN);
	drain(f);
	assert_int_equal(COUNTERS, f->world.calls);
	for (int i = 0; i < COUNTERS; i++) {
		assert_int_equal(MCP_UNREACHABLE, f->ones[i].status);
	}
}

typedef struct crowd {
	mcp_counter_one ones[CROWD];
	mcp_key_buffer buffers[CROWD];
} crowd;

static crowd *gather(many_fixture *f) {
	crowd *all = calloc(1, sizeof(*all));
	for (int i = 0; i < CROWD; i++) {
		char name[32];
		snprintf(name, sizeof(name), "crowd:%d", i);
		all->ones[i].key = world_key(&all->buffers[i], MCP_SPACE_COUNTER, name);
		mcp_counter one = f->counter;
		one.key = &all->ones[i].key;
		mcp_counter_set(&one, i);
	}
	return all;
}

MANY_TEST(more_than_are_taken_together_are_all_taken, f) {
	crowd *all = gather(f);
	mcp_counter_drain_many(&f->counter, all->ones, CROWD, &f->scratch);
	for (int i = 0; i < CROWD; i++) {
		assert_int_equal(MCP_OK, all->ones[i].status);
		assert_int_equal(i, all->ones[i].taken);
	}
	assert_int_equal(MCP_COUNTER_MANY_MAX, f->scratch.pace);
	free(all);
}

/* Guards, numbers and all are there no longer than a guard may be held. */
MANY_TEST(fewer_at_a_time_where_the_server_is_slow, f) {
	crowd *all = gather(f);
	reply_takes_ms = 3;
	f->world.before_call = be_slow;
	mcp_counter_drain_many(&f->counter, all->ones, CROWD, &f->scratch);
	for (int i = 0; i < CROWD; i++) {
		assert_int_equal(MCP_OK, all->ones[i].status);
		assert_int_equal(i, all->ones[i].taken);
	}
	assert_in_range(f->scratch.pace, 32, 165);
	free(all);
}

MANY_TEST(what_is_given_back_is_counted_again, f) {
	fill(f);
	drain(f);
	world_remove(&f->world, "b");
	world_watch(&f->world, 0, WORLD_SOUND);
	mcp_counter_give_back_many(&f->counter, f->ones, COUNTERS, &f->scratch);
	for (int i = 0; i < COUNTERS; i++) {
		assert_int_equal(MCP_OK, f->ones[i].status);
		assert_int_equal(counted[i], rest_of(f, i));
	}
	assert_null(world_peek(&f->world, "absent"));
}

MANY_TEST(giving_back_goes_on_where_one_fails, f) {
	fill(f);
	drain(f);
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	mcp_counter_give_back_many(&f->counter, f->ones, COUNTERS, &f->scratch);
	assert_int_equal(MCP_UNKNOWN, f->ones[0].status);
	assert_int_equal(MCP_OK, f->ones[1].status);
	assert_int_equal(100, rest_of(f, 0));
	assert_int_equal(7, rest_of(f, 1));
	assert_int_equal(30, rest_of(f, 3));
}
