/* Holds the election of a first number to K2, against others at every call, and the guards to keys that
 * nobody else has. */
/* SPDX-License-Identifier: MIT */
#include "counter_world.h"

/* --- a first number that takes some work --- */

COUNTER_TEST(one_is_elected_and_the_rest_count_on, f) {
	mcp_counter_claim claim;
	assert_int_equal(MCP_OK, mcp_counter_elect(&f->counter, &claim));
	assert_int_equal(MCP_OK, counter_start(f, 1000, 1));
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
		assert_int_equal(MCP_OK, counter_start(f, 1000, 1));
		mcp_counter_release(&f->counter, &first_claim);
	}
}

COUNTER_TEST(the_others_wait_for_the_elected, f) {
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

COUNTER_TEST(who_waits_for_one_that_gave_up_is_elected, f) {
	mcp_counter_claim claim;
	mcp_counter_elect(&f->counter, &first_claim);
	f->world.after_sleep = the_elected_gives_up;
	assert_int_equal(MCP_OK, mcp_counter_elect(&f->counter, &claim));
	assert_true(mcp_hold_is_open(&claim.hold));
	assert_int_equal(2, f->world.sleeps);
	assert_null(world_peek(&f->world, ITEM));
}

COUNTER_TEST(who_waits_too_long_computes_for_itself, f) {
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
		assert_int_equal(MCP_OK, counter_start(f, 1000, 1));
	}
}

COUNTER_TEST(who_gets_the_guard_late_does_not_compute_again, f) {
	mcp_counter_claim claim;
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = started_before_the_guard_was_had;
	assert_int_equal(MCP_EXISTS, mcp_counter_elect(&f->counter, &claim));
	assert_false(mcp_hold_is_open(&claim.hold));
}

COUNTER_TEST(an_unreachable_server_elects_nobody, f) {
	mcp_counter_claim claim;
	world_watch(&f->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_counter_elect(&f->counter, &claim));
	assert_int_equal(0, f->world.sleeps);
}

static bool is_guarded(counter_fixture *f, mcp_counter_duty duty) {
	mcp_key_buffer buffer;
	mcp_key guard = mcp_counter_guard_key(&buffer, &f->key, duty);
	mcp_lock lock = {
		.store = f->world.store,
		.environment = &f->world.environment,
		.key = &guard,
		.skew_ms = MCP_LOCK_SKEW_MS,
	};
	return mcp_lock_find(&lock) == MCP_OK;
}

COUNTER_TEST(nobody_else_is_elected_before_the_wait_is_over, f) {
	static const uint64_t waits_ms[] = {0, 2500, 30000, 3600000};
	for (size_t i = 0; i < sizeof(waits_ms) / sizeof(waits_ms[0]); i++) {
		f->counter.wait_ms = waits_ms[i];
		uint64_t lives_ms = waits_ms[i] < 10000 ? 10000 : waits_ms[i];
		mcp_counter_claim claim;
		assert_int_equal(MCP_OK, mcp_counter_elect(&f->counter, &claim));
		world_pass(&f->world, lives_ms + MCP_LOCK_SKEW_MS - 1);
		assert_true(is_guarded(f, MCP_COUNTER_DUTY_INITIAL));
		world_pass(&f->world, 1);
		assert_false(is_guarded(f, MCP_COUNTER_DUTY_INITIAL));
	}
}

/* --- guards --- */

static bool same_key(const char *name, mcp_key guard) {
	mcp_key_buffer buffer;
	mcp_key lock = world_key(&buffer, MCP_SPACE_LOCK, name);
	return mcp_bytes_equal(lock.wire, guard.wire);
}

COUNTER_TEST(no_lock_has_a_guards_key, f) {
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

COUNTER_TEST(the_longest_key_has_a_guard_that_fits, f) {
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
