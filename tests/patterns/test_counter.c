/* Holds the counter protocol to K1-K5: against other counters at every call, with every call's answer
 * or request lost, and against what other clients may have stored. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/patterns/counter.h"
#include "world.h"

#define ITEM "views"
#define MOST "9223372036854775807"

typedef struct counter_fixture {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_counter counter;
	int64_t number;
	int64_t drained; /* by the other actor */
	unsigned at_call;
} counter_fixture;

static int open_fixture(void **state) {
	static counter_fixture fixture;
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.world.actor = &fixture;
	fixture.key = world_key(&fixture.buffer, MCP_SPACE_COUNTER, ITEM);
	fixture.counter = (mcp_counter){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
		.key = &fixture.key,
		.wait_ms = 2500,
	};
	*state = &fixture;
	return 0;
}

static int close_fixture(void **state) {
	world_close(&((counter_fixture *)*state)->world);
	return 0;
}

static mcp_status start(counter_fixture *f, int64_t initial, int64_t by) {
	return mcp_counter_start(&f->counter, initial, by, &f->number);
}

static mcp_status add(counter_fixture *f, int64_t by) {
	return mcp_counter_add(&f->counter, by, &f->number);
}

static int64_t rest(counter_fixture *f) {
	int64_t number = 0;
	mcp_counter_read(&f->counter, &number);
	return number;
}

static void an_absent_number_starts_from_its_initial(void **state) {
	counter_fixture *f = *state;
	assert_int_equal(MCP_NOT_FOUND, add(f, 1));
	assert_int_equal(MCP_OK, start(f, 100, 5));
	assert_int_equal(105, f->number);
	assert_string_equal("105", world_peek(&f->world, ITEM));
	assert_int_equal(MCP_OK, start(f, 100, 5));
	assert_int_equal(110, f->number);
}

static void counting_costs_one_round_trip(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 1);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, start(f, 0, 1));
	assert_int_equal(1, f->world.calls);
}

static void another_starts_it(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	int64_t number;
	if (call == f->at_call) {
		assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 10, &number));
	}
}

static void no_count_is_lost_at_a_common_start(void **state) {
	counter_fixture *f = *state;
	for (f->at_call = 1; f->at_call <= 3; f->at_call++) {
		mcp_counter_reset(&f->counter);
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = another_starts_it;
		assert_int_equal(MCP_OK, start(f, 0, 1));
		f->world.before_call = NULL;
		assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 0, &f->number));
		assert_int_equal(f->at_call == 3 ? 1 : 11, f->number);
	}
}

static void counting_down_stops_at_zero_without_padding(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 10);
	assert_int_equal(MCP_OK, add(f, -1));
	assert_int_equal(9, f->number);
	assert_string_equal("9 ", world_peek(&f->world, ITEM));
	assert_int_equal(MCP_OK, mcp_counter_read(&f->counter, &f->number));
	assert_int_equal(9, f->number);
	assert_int_equal(MCP_OK, add(f, -100));
	assert_int_equal(0, f->number);
	assert_int_equal(MCP_OK, add(f, INT64_MIN));
	assert_int_equal(0, f->number);
	mcp_counter_reset(&f->counter);
	assert_int_equal(MCP_OK, start(f, 3, -10));
	assert_int_equal(0, f->number);
	assert_string_equal("0", world_peek(&f->world, ITEM));
}

static void beyond_the_largest_integer_is_taken_back(void **state) {
	counter_fixture *f = *state;
	world_put(&f->world, ITEM, "9223372036854775800", 0);
	assert_int_equal(MCP_OUT_OF_RANGE, add(f, 8));
	assert_true(rest(f) == 9223372036854775800);
	assert_int_equal(MCP_OUT_OF_RANGE, add(f, INT64_MAX));
	assert_true(rest(f) == 9223372036854775800);
	assert_int_equal(MCP_OK, add(f, 7));
	assert_true(f->number == INT64_MAX);
	mcp_counter_reset(&f->counter);
	assert_int_equal(MCP_OUT_OF_RANGE, start(f, INT64_MAX, 1));
	assert_null(world_peek(&f->world, ITEM));
}

static void a_foreign_number_that_wraps_is_put_back(void **state) {
	counter_fixture *f = *state;
	world_put(&f->world, ITEM, "18446744073709551615", 0);
	assert_int_equal(MCP_OUT_OF_RANGE, add(f, 5));
	assert_string_equal("18446744073709551615", world_peek(&f->world, ITEM));
	assert_int_equal(MCP_OUT_OF_RANGE, add(f, -5));
	assert_string_equal("18446744073709551615", world_peek(&f->world, ITEM));
	assert_int_equal(MCP_OUT_OF_RANGE, mcp_counter_read(&f->counter, &f->number));
	assert_int_equal(MCP_OUT_OF_RANGE, mcp_counter_drain(&f->counter, &f->number));
}

static void a_foreign_value_stays(void **state) {
	counter_fixture *f = *state;
	world_put(&f->world, ITEM, "hello", 0);
	assert_int_equal(MCP_NOT_A_NUMBER, add(f, 1));
	assert_int_equal(MCP_NOT_A_NUMBER, start(f, 0, 1));
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_counter_read(&f->counter, &f->number));
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_counter_drain(&f->counter, &f->number));
	assert_string_equal("hello", world_peek(&f->world, ITEM));
}

static void a_window_starts_at_creation_and_ends(void **state) {
	counter_fixture *f = *state;
	f->counter.ttl_ms = 5000;
	start(f, 0, 1);
	for (int i = 0; i < 4; i++) {
		world_pass(&f->world, 1000);
		assert_int_equal(MCP_OK, start(f, 0, 1));
	}
	world_pass(&f->world, 3000);
	assert_int_equal(MCP_OK, start(f, 0, 1));
	assert_int_equal(1, f->number);
}

static void a_window_over_thirty_days_ends_too(void **state) {
	counter_fixture *f = *state;
	f->counter.ttl_ms = 40ull * 24 * 3600 * 1000;
	start(f, 0, 1);
	world_pass(&f->world, f->counter.ttl_ms - 1000);
	assert_int_equal(MCP_OK, start(f, 0, 1));
	assert_int_equal(2, f->number);
	world_pass(&f->world, 4000);
	assert_int_equal(MCP_NOT_FOUND, mcp_counter_read(&f->counter, &f->number));
}

static void set_and_reset_do_what_they_say(void **state) {
	counter_fixture *f = *state;
	assert_int_equal(MCP_OK, mcp_counter_set(&f->counter, 42));
	assert_int_equal(MCP_OK, mcp_counter_read(&f->counter, &f->number));
	assert_int_equal(42, f->number);
	assert_int_equal(MCP_OK, mcp_counter_reset(&f->counter));
	assert_int_equal(MCP_OK, mcp_counter_reset(&f->counter));
	assert_int_equal(MCP_NOT_FOUND, mcp_counter_read(&f->counter, &f->number));
}

static void a_count_without_an_answer_is_never_repeated(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 1);
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, start(f, 0, 1));
	assert_string_equal("2", world_peek(&f->world, ITEM));
	mcp_counter_reset(&f->counter);
	world_watch(&f->world, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, start(f, 0, 1));
	assert_string_equal("1", world_peek(&f->world, ITEM));
}

/* --- a first number that takes some work --- */

static void one_is_elected_and_the_rest_count_on(void **state) {
	counter_fixture *f = *state;
	mcp_counter_claim claim;
	assert_int_equal(MCP_OK, mcp_counter_elect(&f->counter, &claim));
	assert_int_equal(MCP_OK, start(f, 1000, 1));
	mcp_counter_release(&f->counter, &claim);
	assert_int_equal(MCP_EXISTS, mcp_counter_elect(&f->counter, &claim));
	assert_false(mcp_hold_is_open(&claim.hold));
	world_remove(&f->world, ITEM);
	assert_int_equal(MCP_OK, mcp_counter_elect(&f->counter, &claim));
	assert_true(mcp_hold_is_open(&claim.hold));
}

static mcp_counter_claim first_claim;

static void the_elected_finishes(test_world *world, unsigned sleeps) {
	counter_fixture *f = world->actor;
	if (sleeps == 2) {
		assert_int_equal(MCP_OK, start(f, 1000, 1));
		mcp_counter_release(&f->counter, &first_claim);
	}
}

static void the_others_wait_for_the_elected(void **state) {
	counter_fixture *f = *state;
	mcp_counter_claim claim;
	mcp_counter_elect(&f->counter, &first_claim);
	f->world.after_sleep = the_elected_finishes;
	assert_int_equal(MCP_EXISTS, mcp_counter_elect(&f->counter, &claim));
	assert_int_equal(2, f->world.sleeps);
}

static void the_elected_gives_up(test_world *world, unsigned sleeps) {
	counter_fixture *f = world->actor;
	if (sleeps == 2) {
		mcp_counter_release(&f->counter, &first_claim);
	}
}

static void who_waits_for_one_that_gave_up_is_elected(void **state) {
	counter_fixture *f = *state;
	mcp_counter_claim claim;
	mcp_counter_elect(&f->counter, &first_claim);
	f->world.after_sleep = the_elected_gives_up;
	assert_int_equal(MCP_OK, mcp_counter_elect(&f->counter, &claim));
	assert_true(mcp_hold_is_open(&claim.hold));
	assert_int_equal(2, f->world.sleeps);
	assert_null(world_peek(&f->world, ITEM));
}

static void who_waits_too_long_computes_for_itself(void **state) {
	counter_fixture *f = *state;
	mcp_counter_claim claim;
	mcp_counter_elect(&f->counter, &first_claim);
	uint64_t before_ms = f->world.monotonic_ms;
	assert_int_equal(MCP_OK, mcp_counter_elect(&f->counter, &claim));
	assert_false(mcp_hold_is_open(&claim.hold));
	assert_int_equal(2500, f->world.monotonic_ms - before_ms);
}

static void started_before_the_guard_was_had(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	if (call == 1) {
		assert_int_equal(MCP_OK, start(f, 1000, 1));
	}
}

static void who_gets_the_guard_late_does_not_compute_again(void **state) {
	counter_fixture *f = *state;
	mcp_counter_claim claim;
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = started_before_the_guard_was_had;
	assert_int_equal(MCP_EXISTS, mcp_counter_elect(&f->counter, &claim));
	assert_false(mcp_hold_is_open(&claim.hold));
}

static void an_unreachable_server_elects_nobody(void **state) {
	counter_fixture *f = *state;
	mcp_counter_claim claim;
	world_watch(&f->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_counter_elect(&f->counter, &claim));
	assert_int_equal(0, f->world.sleeps);
}

/* --- draining --- */

static mcp_status drain(counter_fixture *f) {
	return mcp_counter_drain(&f->counter, &f->number);
}

static void a_drain_takes_all_there_is(void **state) {
	counter_fixture *f = *state;
	assert_int_equal(MCP_OK, drain(f));
	assert_int_equal(0, f->number);
	assert_null(world_peek(&f->world, ITEM));
	start(f, 0, 123);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, drain(f));
	assert_int_equal(5, f->world.calls);
	assert_int_equal(123, f->number);
	assert_int_equal(0, rest(f));
	assert_int_equal(MCP_OK, drain(f));
	assert_int_equal(0, f->number);
}

static void another_counts(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	int64_t number;
	if (call == f->at_call) {
		assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 10, &number));
	}
}

static void nothing_is_lost_wherever_another_counts(void **state) {
	counter_fixture *f = *state;
	int64_t counted = 0, drained = 0;
	for (f->at_call = 1; f->at_call <= 5; f->at_call++) {
		start(f, 0, 7);
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = another_counts;
		assert_int_equal(MCP_OK, drain(f));
		f->world.before_call = NULL;
		counted += 17;
		drained += f->number;
		assert_int_equal(counted, drained + rest(f));
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

static void nothing_is_taken_twice_wherever_another_drains(void **state) {
	counter_fixture *f = *state;
	int64_t counted = 0;
	for (f->at_call = 1; f->at_call <= 5; f->at_call++) {
		start(f, 0, 100);
		counted += 100;
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = another_drains_at_once;
		assert_int_equal(MCP_OK, drain(f));
		f->world.before_call = NULL;
		f->drained += f->number;
		assert_int_equal(counted, f->drained + rest(f));
	}
}

/* The guard runs out, and somebody else drains and counts. */
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

static void a_drain_that_was_overtaken_takes_nothing_blindly(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 100);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->at_call = 2;
	f->world.before_call = be_overtaken;
	assert_int_equal(MCP_OK, drain(f));
	assert_int_equal(110, f->drained + f->number + rest(f));
}

static void a_decrement_that_came_too_late_is_unknown(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 100);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->at_call = 3;
	f->world.before_call = be_overtaken;
	assert_int_equal(MCP_UNKNOWN, drain(f));
	assert_int_equal(100, f->drained);
}

/* The guard runs out, and another drain is about to subtract what it has read. */
static void be_late(test_world *world, unsigned call) {
	counter_fixture *f = world->actor;
	if (call == 3) {
		int64_t number;
		world_pass(world, 3000);
		assert_int_equal(MCP_OK, mcp_counter_start(&f->counter, 0, 10, &number));
	}
}

static void a_late_decrement_is_unknown_even_when_something_is_left(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 100);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = be_late;
	assert_int_equal(MCP_UNKNOWN, drain(f));
	assert_int_equal(100, f->number);
	assert_int_equal(10, rest(f));
}

static void a_drain_waits_for_another_no_longer_than_its_wait(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 100);
	mcp_key_buffer buffer;
	mcp_key guard = mcp_counter_guard_key(&buffer, &f->key, MCP_COUNTER_DUTY_DRAIN);
	world_put(&f->world, guard.wire.data, "dead", 0);
	uint64_t before_ms = f->world.monotonic_ms;
	assert_int_equal(MCP_NOT_STORED, drain(f));
	assert_int_equal(2500, f->world.monotonic_ms - before_ms);
	assert_int_equal(100, rest(f));
}

/* Whatever call dies, the guard is gone within the default wait of those who come next. */
static void a_drain_killed_at_any_call_holds_up_nobody(void **state) {
	counter_fixture *f = *state;
	for (unsigned call = 1; call <= 5; call++) {
		mcp_counter_set(&f->counter, 100);
		world_watch(&f->world, call, WORLD_DOWN);
		mcp_status status = drain(f);
		int64_t taken = status == MCP_OK ? f->number : 0;
		world_watch(&f->world, 0, WORLD_SOUND);
		assert_int_equal(100, taken + rest(f));
		assert_int_equal(MCP_OK, drain(f));
		assert_int_equal(100 - taken, f->number);
	}
}

static void a_decrement_without_an_answer_is_unknown_and_says_how_much(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 100);
	world_watch(&f->world, 3, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, drain(f));
	assert_int_equal(100, f->number);
	assert_int_equal(0, rest(f));
}

static void what_is_given_back_is_counted_again(void **state) {
	counter_fixture *f = *state;
	start(f, 0, 100);
	drain(f);
	start(f, 0, 5);
	assert_int_equal(MCP_OK, mcp_counter_give_back(&f->counter, 100));
	assert_int_equal(105, rest(f));
	world_remove(&f->world, ITEM);
	assert_int_equal(MCP_OK, mcp_counter_give_back(&f->counter, 100));
	assert_int_equal(100, rest(f));
}

/* --- guards --- */

static bool same_key(const char *name, mcp_key guard) {
	mcp_key_buffer buffer;
	mcp_key lock = world_key(&buffer, MCP_SPACE_LOCK, name);
	return mcp_bytes_equal(lock.wire, guard.wire);
}

static void no_lock_has_a_guards_key(void **state) {
	counter_fixture *f = *state;
	mcp_key_buffer buffer, other;
	mcp_key initial = mcp_counter_guard_key(&buffer, &f->key, MCP_COUNTER_DUTY_INITIAL);
	mcp_key draining = mcp_counter_guard_key(&other, &f->key, MCP_COUNTER_DUTY_DRAIN);
	assert_false(mcp_bytes_equal(initial.wire, draining.wire));
	assert_true(mcp_key_is_safe(initial.wire));
	assert_true(mcp_bytes_equal(f->key.route, initial.route));
	assert_memory_equal("lock:views~#", initial.wire.data, 12);
	assert_false(same_key(ITEM, initial));
	assert_false(same_key(initial.wire.data + strlen("lock:"), initial));
}

static void the_longest_key_has_a_guard_that_fits(void **state) {
	(void)state;
	char prefix[MCP_PREFIX_MAX], name[300];
	memset(prefix, 'p', sizeof(prefix));
	memset(name, 'n', sizeof(name));
	for (size_t length = 1; length <= sizeof(name); length++) {
		mcp_key_parts parts = {
			.space = MCP_SPACE_COUNTER,
			.prefix = mcp_bytes_of(prefix, sizeof(prefix)),
			.name = mcp_bytes_of(name, length),
		};
		mcp_key_buffer buffer, guard_buffer;
		mcp_key key = mcp_key_make(&buffer, &parts);
		mcp_key guard = mcp_counter_guard_key(&guard_buffer, &key, MCP_COUNTER_DUTY_DRAIN);
		assert_true(mcp_key_is_safe(guard.wire));
	}
}

#define COUNTER_TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void) {
	const struct CMUnitTest tests[] = {
		COUNTER_TEST(an_absent_number_starts_from_its_initial),
		COUNTER_TEST(counting_costs_one_round_trip),
		COUNTER_TEST(no_count_is_lost_at_a_common_start),
		COUNTER_TEST(counting_down_stops_at_zero_without_padding),
		COUNTER_TEST(beyond_the_largest_integer_is_taken_back),
		COUNTER_TEST(a_foreign_number_that_wraps_is_put_back),
		COUNTER_TEST(a_foreign_value_stays),
		COUNTER_TEST(a_window_starts_at_creation_and_ends),
		COUNTER_TEST(a_window_over_thirty_days_ends_too),
		COUNTER_TEST(set_and_reset_do_what_they_say),
		COUNTER_TEST(a_count_without_an_answer_is_never_repeated),
		COUNTER_TEST(one_is_elected_and_the_rest_count_on),
		COUNTER_TEST(the_others_wait_for_the_elected),
		COUNTER_TEST(who_waits_for_one_that_gave_up_is_elected),
		COUNTER_TEST(who_waits_too_long_computes_for_itself),
		COUNTER_TEST(who_gets_the_guard_late_does_not_compute_again),
		COUNTER_TEST(an_unreachable_server_elects_nobody),
		COUNTER_TEST(a_drain_takes_all_there_is),
		COUNTER_TEST(nothing_is_lost_wherever_another_counts),
		COUNTER_TEST(nothing_is_taken_twice_wherever_another_drains),
		COUNTER_TEST(a_drain_that_was_overtaken_takes_nothing_blindly),
		COUNTER_TEST(a_decrement_that_came_too_late_is_unknown),
		COUNTER_TEST(a_late_decrement_is_unknown_even_when_something_is_left),
		COUNTER_TEST(a_drain_waits_for_another_no_longer_than_its_wait),
		COUNTER_TEST(a_drain_killed_at_any_call_holds_up_nobody),
		COUNTER_TEST(a_decrement_without_an_answer_is_unknown_and_says_how_much),
		COUNTER_TEST(what_is_given_back_is_counted_again),
		COUNTER_TEST(no_lock_has_a_guards_key),
		COUNTER_TEST(the_longest_key_has_a_guard_that_fits),
	};
	return cmocka_run_group_tests_name("counter", tests, NULL, NULL);
}
