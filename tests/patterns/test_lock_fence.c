/* Holds fencing tokens to L9 where the server tells no start: against the loss of the fence, another holder at every call, late
 * writes and hosts whose clocks differ. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/patterns/lock/semaphore.h"
#include "lock_world.h"

#define US_PER_MS 1000

static void lose_something(lock_world *f, int which) {
	switch (which) {
		case 0:
			world_remove(&f->world, ITEM);
			break;
		case 1:
			world_remove(&f->world, FENCE);
			break;
		case 2:
			world_restart(&f->world);
			break;
		default:
			assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	}
}

FENCE_TEST(tokens_grow_also_when_the_fence_is_lost, f) {
	uint64_t last = 0;
	for (int i = 0; i < 400; i++) {
		uint64_t token = token_of(f);
		assert_true(token > last);
		assert_true(token <= INT64_MAX);
		last = token;
		lose_something(f, i % 4);
		mcp_lock_release(&f->lock, &f->hold);
		f->hold = (mcp_hold){0};
	}
}

FENCE_TEST(a_token_costs_two_round_trips_and_the_first_one_six, f) {
	acquire(f);
	uint64_t first, second;
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, fence(f, &first));
	assert_int_equal(FENCE_MAKING_CALLS, f->world.calls);
	assert_int_equal(MCP_OK, fence(f, &second));
	assert_int_equal(FENCE_MAKING_CALLS, f->world.calls);
	assert_true(first == second);
	mcp_lock_release(&f->lock, &f->hold);
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, fence(f, &second));
	assert_int_equal(FENCE_CALLS, f->world.calls);
	assert_int_equal(0, f->world.sleeps);
	assert_true(second > first);
}

/* Whoever makes the fence anew, by a clock that is late by the skew, must begin above the token: one who uses another lock
 * of the prefix, too, on another host, where this one is for one host and has no skew. */
FENCE_TEST(a_token_is_given_out_when_the_latest_clock_is_past_it, f) {
	static const uint64_t skews_ms[] = {0, 1, 250, SKEW_MS, 4000};
	for (size_t i = 0; i < sizeof(skews_ms) / sizeof(skews_ms[0]); i++) {
		world_remove(&f->world, FENCE);
		f->lock.skew_ms = skews_ms[i];
		uint64_t differ_ms = skews_ms[i] > SKEW_MS ? skews_ms[i] : SKEW_MS;
		uint64_t began_ms = f->world.monotonic_ms;
		uint64_t token = token_of(f);
		assert_true((f->world.wall_ms - differ_ms) * US_PER_MS > token);
		assert_int_equal(differ_ms + 1, f->world.monotonic_ms - began_ms);
		mcp_lock_release(&f->lock, &f->hold);
	}
}

/* Its maker's clock is ahead, and the next maker's late: together by the skew. */
FENCE_TEST(a_number_of_a_clock_that_is_ahead_is_waited_for, f) {
	put_fence(f, SKEW_MS);
	uint64_t token = token_of(f);
	assert_true((f->world.wall_ms - SKEW_MS) * US_PER_MS > token);
	assert_int_equal(stored_fence(f), token);
}

static void make_it_anew_by_a_late_clock(test_world *world, unsigned sleeps) {
	if (sleeps == 1) {
		put_fence(world->actor, -SKEW_MS);
	}
}

/* The number of before the wait would be larger than the next holder's. */
FENCE_TEST(a_fence_that_was_made_anew_while_it_was_waited_for_counts, f) {
	put_fence(f, SKEW_MS);
	f->world.after_sleep = make_it_anew_by_a_late_clock;
	uint64_t token = token_of(f);
	assert_int_equal(stored_fence(f), token);
	f->world.after_sleep = NULL;
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_true(token_of(f) > token);
}

static uint64_t rivals_token;

static void let_the_rival_take_it_and_a_token(lock_world *f) {
	world_pass(&f->world, TTL_MS + SKEW_MS);
	assert_int_equal(MCP_OK, rival_acquire(f));
	assert_int_equal(MCP_OK, mcp_lock_fence(&f->rival, &f->rival_hold, &rivals_token));
}

static void let_the_rival_come_first(test_world *world, unsigned call) {
	if (call == 1) {
		let_the_rival_take_it_and_a_token(world->actor);
	}
}

static void let_the_rival_come_in_between(test_world *world, unsigned call) {
	if (call == 2) {
		let_the_rival_take_it_and_a_token(world->actor);
	}
}

FENCE_TEST(who_has_lost_the_lock_meanwhile_has_no_token, f) {
	void (*const moments[])(test_world *, unsigned) = {
		let_the_rival_come_first,
		let_the_rival_come_in_between,
	};
	uint64_t last = token_of(f);
	mcp_lock_release(&f->lock, &f->hold);
	for (int i = 0; i < 2; i++) {
		uint64_t token = 7;
		acquire(f);
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = moments[i];
		assert_int_equal(MCP_NOT_FOUND, fence(f, &token));
		f->world.before_call = NULL;
		assert_int_equal(7, token);
		assert_true(rivals_token > last);
		last = rivals_token;
		mcp_lock_release(&f->rival, &f->rival_hold);
	}
}

/* Lets the other one make the fence and have a token, and the fence be lost then. */
static void make_and_lose_it(lock_world *f) {
	let_the_rival_take_it_and_a_token(f);
	world_remove(&f->world, FENCE);
	mcp_lock_release(&f->rival, &f->rival_hold);
}

/* Lets it come before what is to become the fence is added, looked at, and replaced by the first number; before the latter two it is
 * on the way of being made a second time. */
static void let_the_add_come_late(test_world *world, unsigned call) {
	if (call == 2) {
		make_and_lose_it(world->actor);
	}
}

static void let_the_look_come_late(test_world *world, unsigned call) {
	if (call == 3) {
		make_and_lose_it(world->actor);
		world_put(world, FENCE, "unset", 0);
	}
}

static void let_the_number_come_late(test_world *world, unsigned call) {
	if (call == 4) {
		make_and_lose_it(world->actor);
		world_put(world, FENCE, "unset", 0);
	}
}

FENCE_TEST(a_number_of_an_old_clock_is_not_put, f) {
	void (*const moments[])(test_world *, unsigned) = {
		let_the_add_come_late,
		let_the_look_come_late,
		let_the_number_come_late,
	};
	for (int i = 0; i < 3; i++) {
		uint64_t token;
		acquire(f);
		world_remove(&f->world, FENCE);
		world_watch(&f->world, 0, WORLD_SOUND);
		f->world.before_call = moments[i];
		assert_int_equal(MCP_NOT_FOUND, fence(f, &token));
		f->world.before_call = NULL;
		assert_true(token_of(f) > rivals_token);
		mcp_lock_release(&f->lock, &f->hold);
	}
}

FENCE_TEST(what_is_no_number_becomes_one, f) {
	static const char *const texts[] = {"unset", "", "12x", "-1", "1.5"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		world_put(&f->world, FENCE, texts[i], 0);
		uint64_t token = token_of(f);
		assert_int_equal(stored_fence(f), token);
		mcp_lock_release(&f->lock, &f->hold);
	}
}

FENCE_TEST(a_permit_counts_on_the_same_fence, f) {
	mcp_key_buffer buffer, permit_buffer;
	mcp_key key = world_key(&buffer, MCP_SPACE_SEMAPHORE, "jobs");
	mcp_key permit = mcp_semaphore_permit_key(&permit_buffer, &key, 1);
	uint64_t first = token_of(f);
	f->rival.key = &permit;
	assert_int_equal(MCP_OK, rival_acquire(f));
	assert_int_equal(MCP_OK, mcp_lock_fence(&f->rival, &f->rival_hold, &rivals_token));
	assert_true(rivals_token == first + 1);
}
