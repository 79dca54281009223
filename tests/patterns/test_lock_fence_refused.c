/* Holds what is told where no fencing token can be had, although the server tells no start and answers otherwise, and that a
 * failure stays one. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "lock_world.h"

FENCE_TEST(without_a_believed_clock_there_is_none, f) {
	mcp_fence_refusal refusal = {MCP_FENCE_AHEAD, 5};
	uint64_t token;
	f->lock.skew_ms = MCP_LOCK_FOREVER;
	f->lock.refusal = &refusal;
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_UNSUPPORTED, fence(f, &token));
	assert_int_equal(MCP_FENCE_WITHOUT_CLOCK, refusal.bar);
	assert_int_equal(0, f->world.calls);
	assert_true(is_held(f));
}

FENCE_TEST(a_fence_that_is_too_far_ahead_is_refused, f) {
	mcp_fence_refusal refusal;
	uint64_t token;
	f->lock.refusal = &refusal;
	acquire(f);
	put_fence(f, 3600000);
	assert_int_equal(MCP_UNSUPPORTED, fence(f, &token));
	assert_int_equal(MCP_FENCE_AHEAD, refusal.bar);
	assert_int_equal(3600000, refusal.ms);
	assert_int_equal(0, f->world.sleeps);
	assert_true(is_held(f));
	put_fence(f, SKEW_MS + 1000);
	assert_int_equal(MCP_UNSUPPORTED, fence(f, &token));
	/* As far as clocks that are right and a second of counting can bring it. */
	put_fence(f, SKEW_MS + 999);
	assert_int_equal(MCP_OK, fence(f, &token));
}

FENCE_TEST(what_a_hold_does_not_last_for_is_not_waited_for, f) {
	mcp_fence_refusal refusal;
	uint64_t token;
	f->lock.refusal = &refusal;
	f->lock.ttl_ms = SKEW_MS / 2;
	acquire(f);
	assert_int_equal(MCP_UNSUPPORTED, fence(f, &token));
	assert_int_equal(MCP_FENCE_TOO_NEW, refusal.bar);
	assert_int_equal(SKEW_MS + 1, refusal.ms);
	assert_int_equal(0, f->world.sleeps);
	assert_true(is_held(f));
	world_pass(&f->world, SKEW_MS + 1);
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(MCP_OK, fence(f, &token));
}

FENCE_TEST(no_wait_is_longer_than_ten_seconds, f) {
	mcp_fence_refusal refusal;
	uint64_t token;
	f->lock.refusal = &refusal;
	f->lock.ttl_ms = MCP_LOCK_FOREVER;
	f->lock.skew_ms = 10000;
	acquire(f);
	assert_int_equal(MCP_UNSUPPORTED, fence(f, &token));
	assert_int_equal(MCP_FENCE_TOO_NEW, refusal.bar);
	assert_int_equal(10001, refusal.ms);
	world_pass(&f->world, 1);
	assert_int_equal(MCP_OK, fence(f, &token));
	assert_int_equal(1, f->world.sleeps);
}

/* Whatever has become of the fence, the next call goes on from there. */
FENCE_TEST(an_answer_that_does_not_come_is_a_failure, f) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST, WORLD_DOWN};
	for (unsigned i = 0; i < 3 * FENCE_MAKING_CALLS; i++) {
		uint64_t token;
		acquire(f);
		world_remove(&f->world, FENCE);
		world_watch(&f->world, 1 + i / 3, faults[i % 3]);
		mcp_status status = fence(f, &token);
		assert_true(status == MCP_TIMEOUT || status == MCP_UNREACHABLE);
		assert_true(is_held(f));
		world_watch(&f->world, 0, WORLD_SOUND);
		uint64_t last = stored_fence(f);
		assert_int_equal(MCP_OK, fence(f, &token));
		assert_true(token > last);
		mcp_lock_release(&f->lock, &f->hold);
	}
}

FENCE_TEST(a_start_that_is_not_answered_makes_no_fence, f) {
	uint64_t token;
	acquire(f);
	f->world.tells_no_start = false;
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, fence(f, &token));
	world_watch(&f->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, fence(f, &token));
	assert_null(world_peek(&f->world, FENCE));
}

static void lose_the_fence(test_world *world, unsigned call) {
	lock_world *f = world->actor;
	if (stored_fence(f) != 0) {
		world_remove(world, FENCE);
	}
}

FENCE_TEST(a_fence_that_never_stays_ends_the_call, f) {
	uint64_t token;
	f->lock.ttl_ms = 100000;
	acquire(f);
	f->world.before_call = lose_the_fence;
	assert_int_equal(MCP_EXISTS, fence(f, &token));
	f->world.before_call = NULL;
	assert_true(is_held(f));
}

/* However often the fence is made anew meanwhile. */
FENCE_TEST(all_waits_together_are_no_longer_than_ten_seconds, f) {
	mcp_fence_refusal refusal;
	uint64_t token;
	f->lock.refusal = &refusal;
	f->lock.ttl_ms = MCP_LOCK_FOREVER;
	f->lock.skew_ms = 4000;
	acquire(f);
	f->world.before_call = lose_the_fence;
	uint64_t began_ms = f->world.monotonic_ms;
	assert_int_equal(MCP_UNSUPPORTED, fence(f, &token));
	assert_int_equal(MCP_FENCE_TOO_NEW, refusal.bar);
	assert_in_range(f->world.monotonic_ms - began_ms, 1, 10000);
	f->world.before_call = NULL;
	assert_true(is_held(f));
}

static mcp_status answer_not_found(mcp_store *store, mcp_op *op) {
	return MCP_NOT_FOUND;
}

/* It would read as a lock that was lost. */
FENCE_TEST(an_answer_that_an_add_never_has_is_a_failure, f) {
	uint64_t token;
	acquire(f);
	const mcp_store_operations *sound = f->lock.store->operations;
	mcp_store_operations lying = *sound;
	lying.change = answer_not_found;
	f->lock.store->operations = &lying;
	assert_int_equal(MCP_PROTOCOL, fence(f, &token));
	f->lock.store->operations = sound;
	assert_true(is_held(f));
}

static bool is_signalled;

static bool answer_signalled(const mcp_environment *environment) {
	return is_signalled;
}

FENCE_TEST(a_signal_interrupts_the_wait_and_it_goes_on, f) {
	mcp_pauses pauses = {.has_begun = false};
	uint64_t token;
	f->world.environment.is_interrupted = answer_signalled;
	f->lock.pauses = &pauses;
	acquire(f);
	is_signalled = true;
	assert_int_equal(MCP_INTERRUPTED, fence(f, &token));
	assert_true(is_held(f));
	assert_int_equal(0, f->world.sleeps);
	is_signalled = false;
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, fence(f, &token));
	/* The pause is slept to its end before the fence is drawn from again. */
	assert_int_equal(1, f->world.sleeps);
	assert_int_equal(FENCE_CALLS, f->world.calls);
}
