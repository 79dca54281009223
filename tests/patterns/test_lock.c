/* Holds the lock protocol to L1-L6, L8 and L9: against another holder at every call, on clocks that are
 * moved rather than waited for. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/memory/store_memory.h"
#include "lock_world.h"

LOCK_TEST(one_of_two_holds_it, f) {
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	assert_true(is_held(f));
	assert_false(mcp_hold_is_open(&f->rival_hold));
	assert_string_equal("alice", stored_owner(f));
}

LOCK_TEST(acquiring_costs_one_round_trip, f) {
	world_watch(&f->world, 0, WORLD_SOUND);
	acquire(f);
	assert_int_equal(1, f->world.calls);
}

LOCK_TEST(its_own_deadline_ends_before_the_item_does, f) {
	for (unsigned phase_ms = 0; phase_ms < 1000; phase_ms += 37) {
		world_pass(&f->world, 37);
		assert_int_equal(MCP_OK, acquire(f));
		assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
		world_pass(&f->world, TTL_MS - 1);
		assert_true(is_held(f));
		assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
		world_pass(&f->world, 1);
		assert_false(is_held(f));
		world_pass(&f->world, SKEW_MS - 1);
		assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
		world_pass(&f->world, 1);
		assert_int_equal(MCP_OK, rival_acquire(f));
		assert_int_equal(MCP_OK, mcp_lock_release(&f->rival, &f->rival_hold));
		f->hold = (mcp_hold){0};
	}
}

static void make_it_take_a_second(test_world *world, unsigned call) {
	world_pass(world, 1000);
}

LOCK_TEST(the_deadline_counts_from_before_the_add, f) {
	uint64_t before_ms = f->world.monotonic_ms;
	f->world.before_call = make_it_take_a_second;
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(before_ms + TTL_MS, f->hold.deadline_ms);
}

static void make_it_slow(test_world *world, unsigned call) {
	world_pass(world, TTL_MS);
}

LOCK_TEST(what_took_longer_to_get_than_it_lives_is_not_held, f) {
	f->world.before_call = make_it_slow;
	assert_int_equal(MCP_NOT_STORED, acquire(f));
	f->world.before_call = NULL;
	assert_false(is_held(f));
	assert_false(mcp_hold_is_open(&f->hold));
}

static void make_it_take_10_ms(test_world *world, unsigned call) {
	world_pass(world, 10);
}

/* Others wait for its end and the skew. */
LOCK_TEST(what_took_longer_to_refresh_than_it_lives_is_not_held, f) {
	f->lock.skew_ms = f->rival.skew_ms = 1000;
	acquire(f);
	f->world.before_call = make_it_take_10_ms;
	f->lock.ttl_ms = 1;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_refresh(&f->lock, &f->hold));
	f->world.before_call = NULL;
	assert_false(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	mcp_lock_release(&f->lock, &f->hold);
	assert_int_equal(MCP_OK, rival_acquire(f));
}

LOCK_TEST(over_thirty_days_still_excludes, f) {
	f->lock.ttl_ms = f->rival.ttl_ms = 40ull * 24 * 3600 * 1000;
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	world_pass(&f->world, 39ull * 24 * 3600 * 1000);
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

LOCK_TEST(release_frees_it_at_once, f) {
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(2, f->world.calls);
	assert_false(is_held(f));
	assert_int_equal(MCP_OK, rival_acquire(f));
}

LOCK_TEST(release_of_what_was_never_held_is_not_found, f) {
	rival_acquire(f);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_string_equal("bob", stored_owner(f));
}

LOCK_TEST(release_never_frees_anothers, f) {
	acquire(f);
	world_pass(&f->world, TTL_MS + 2000);
	assert_int_equal(MCP_OK, rival_acquire(f));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_string_equal("bob", stored_owner(f));
}

/* Lets the rival take the lock between our look at it and our delete. */
static void let_the_rival_in(test_world *world, unsigned call) {
	lock_world *f = world->actor;
	if (call == 2) {
		world_pass(world, TTL_MS + 2000);
		assert_int_equal(MCP_OK, rival_acquire(f));
	}
}

LOCK_TEST(release_never_frees_one_taken_in_between, f) {
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = let_the_rival_in;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_string_equal("bob", stored_owner(f));
}

LOCK_TEST(refresh_never_takes_one_taken_in_between, f) {
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = let_the_rival_in;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_refresh(&f->lock, &f->hold));
	assert_false(is_held(f));
	assert_string_equal("bob", stored_owner(f));
}

LOCK_TEST(an_earlier_acquisition_never_frees_a_later_one_of_the_same_owner, f) {
	f->rival.owner = f->lock.owner;
	acquire(f);
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	world_pass(&f->world, TTL_MS + 2000);
	assert_int_equal(MCP_OK, rival_acquire(f));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, mcp_lock_verify(&f->rival, &f->rival_hold));
}

LOCK_TEST(refresh_starts_the_ttl_again, f) {
	acquire(f);
	world_pass(&f->world, TTL_MS - 1);
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	world_pass(&f->world, TTL_MS - 1);
	assert_true(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

LOCK_TEST(refresh_can_shorten, f) {
	acquire(f);
	f->lock.ttl_ms = 1000;
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(1000, mcp_lock_remaining_ms(&f->lock, &f->hold));
	world_pass(&f->world, 3000);
	assert_int_equal(MCP_OK, rival_acquire(f));
}

LOCK_TEST(acquiring_what_is_held_extends_it, f) {
	acquire(f);
	uint64_t stamp = f->hold.stamp;
	world_pass(&f->world, 5000);
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(stamp, f->hold.stamp);
	assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
}

LOCK_TEST(acquiring_what_was_lost_starts_anew, f) {
	acquire(f);
	world_remove(&f->world, ITEM);
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(is_held(f));
	assert_string_equal("alice", stored_owner(f));
}

LOCK_TEST(waiting_ends_at_its_deadline, f) {
	rival_acquire(f);
	uint64_t before_ms = f->world.monotonic_ms;
	assert_int_equal(MCP_NOT_STORED, mcp_lock_acquire(&f->lock, &f->hold, 730));
	assert_int_equal(730, f->world.monotonic_ms - before_ms);
	assert_true(f->world.sleeps >= 730 / 100);
}

static void free_it_while_the_other_waits(test_world *world, unsigned sleeps) {
	lock_world *f = world->actor;
	if (sleeps == 3) {
		assert_int_equal(MCP_OK, mcp_lock_release(&f->rival, &f->rival_hold));
	}
}

LOCK_TEST(who_waits_gets_it_when_it_is_freed, f) {
	rival_acquire(f);
	f->world.after_sleep = free_it_while_the_other_waits;
	assert_int_equal(MCP_OK, mcp_lock_acquire(&f->lock, &f->hold, 5000));
	assert_int_equal(3, f->world.sleeps);
}

LOCK_TEST(each_look_while_waiting_costs_one_round_trip, f) {
	rival_acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_STORED, acquire_by(f, 1000));
	assert_int_equal(2 + f->world.sleeps, f->world.calls);
}

LOCK_TEST(refresh_past_its_own_end_changes_nothing, f) {
	acquire(f);
	world_pass(&f->world, TTL_MS);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(0, f->world.calls);
	assert_false(is_held(f));
	/* It is still nobody else's, and can be had again at once. */
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(2, f->world.calls);
	assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
}

LOCK_TEST(another_process_adopts_it_by_its_owner, f) {
	acquire(f);
	mcp_hold adopted = {0};
	world_pass(&f->world, 9000);
	assert_int_equal(MCP_OK, mcp_lock_adopt(&f->lock, &adopted));
	assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &adopted));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_adopt(&f->rival, &f->rival_hold));
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &adopted));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_adopt(&f->lock, &adopted));
}

/* A message delivered twice: the later one has it, and the earlier one learns so. */
LOCK_TEST(adopting_twice_makes_one_holder, f) {
	acquire(f);
	mcp_hold first = {0};
	mcp_hold second = {0};
	uint64_t token;
	assert_int_equal(MCP_OK, mcp_lock_adopt(&f->lock, &first));
	assert_int_equal(MCP_OK, mcp_lock_adopt(&f->lock, &second));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_fence(&f->lock, &first, &token));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_verify(&f->lock, &f->hold));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &first));
	assert_int_equal(MCP_OK, mcp_lock_verify(&f->lock, &second));
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &second));
}

/* memcached's clock goes on by two seconds at once now and then, on the holder's first second too. */
LOCK_TEST(a_clock_that_skips_a_second_frees_no_lock, f) {
	static const uint64_t ttls_ms[] = {1, 50, 999, 1000, 1001, 10000};
	for (size_t i = 0; i < sizeof(ttls_ms) / sizeof(ttls_ms[0]); i++) {
		f->lock.ttl_ms = ttls_ms[i];
		world_pass(&f->world, 999 - f->world.wall_ms % 1000);
		assert_int_equal(MCP_OK, acquire(f));
		mcp_memory_server_skip_second(mcp_store_memory_server(f->world.memory));
		world_pass(&f->world, ttls_ms[i] - 1);
		assert_true(is_held(f));
		assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
		assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	}
}

LOCK_TEST(force_release_frees_anybodys, f) {
	rival_acquire(f);
	assert_int_equal(MCP_OK, mcp_lock_find(&f->lock));
	assert_int_equal(MCP_OK, mcp_lock_force_release(&f->lock));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_find(&f->lock));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_force_release(&f->lock));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_verify(&f->rival, &f->rival_hold));
	assert_false(mcp_lock_is_held(&f->rival, &f->rival_hold));
}

LOCK_TEST(fencing_tokens_grow_from_holder_to_holder, f) {
	uint64_t last = 0;
	for (int i = 0; i < 1000; i++) {
		uint64_t token;
		assert_int_equal(MCP_OK, acquire(f));
		assert_int_equal(MCP_OK, mcp_lock_fence(&f->lock, &f->hold, &token));
		assert_true(token > last);
		assert_true(token <= INT64_MAX);
		last = token;
		world_pass(&f->world, 1);
		switch (i % 4) {
			case 0:
				world_remove(&f->world, ITEM);
				f->hold = (mcp_hold){0};
				break;
			case 1:
				world_restart(&f->world);
				f->hold = (mcp_hold){0};
				break;
			default:
				assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
		}
	}
}

LOCK_TEST(a_fencing_token_is_asked_for_once, f) {
	acquire(f);
	uint64_t first, second;
	mcp_lock_fence(&f->lock, &f->hold, &first);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(2, f->world.calls);
	assert_int_equal(MCP_OK, mcp_lock_fence(&f->lock, &f->hold, &second));
	assert_int_equal(first, second);
	assert_int_equal(2, f->world.calls);
}

LOCK_TEST(a_lost_lock_has_no_fencing_token, f) {
	uint64_t token = 7;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_fence(&f->lock, &f->hold, &token));
	acquire(f);
	world_put(&f->world, ITEM, "somebody", 0);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_fence(&f->lock, &f->hold, &token));
	assert_false(is_held(f));
	assert_int_equal(7, token);
}

static void restart_between_the_questions(test_world *world, unsigned call) {
	if (call == 2) {
		world_restart(world);
	}
}

LOCK_TEST(a_restart_while_the_token_is_asked_for_is_a_lost_lock, f) {
	uint64_t token;
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = restart_between_the_questions;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_fence(&f->lock, &f->hold, &token));
}
