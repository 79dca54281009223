/* Holds the lock protocol to L11 and L12: an item whose end has passed is taken over by one, whatever
 * memcached's clock does; hosts' clocks may differ and be set; looking changes nothing. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "lock_world.h"

/* Leaves the lock to a rival that has it, and dies. */
static void leave_a_dead_holder(lock_world *f) {
	assert_int_equal(MCP_OK, rival_acquire(f));
	world_pass(&f->world, TTL_MS + SKEW_MS);
	f->rival_hold = (mcp_hold){0};
}

LOCK_TEST(memcached_still_has_it_when_it_is_taken_over, f) {
	leave_a_dead_holder(f);
	assert_string_equal("bob", stored_owner(f));
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(3, f->world.calls);
	assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
	assert_string_equal("alice", stored_owner(f));
}

LOCK_TEST(memcached_clears_it_away_a_minute_after_its_end, f) {
	rival_acquire(f);
	world_pass(&f->world, TTL_MS + 60000 - 1);
	assert_non_null(world_peek(&f->world, ITEM));
	world_pass(&f->world, 2001);
	assert_null(world_peek(&f->world, ITEM));
}

static void let_another_take_it_over(test_world *world, unsigned call) {
	lock_world *f = world->actor;
	if (call == 3) {
		mcp_lock other = f->rival;
		other.owner = mcp_bytes_of("carol", 5);
		assert_int_equal(MCP_OK, mcp_lock_acquire(&other, &f->rival_hold, 0));
	}
}

LOCK_TEST(one_of_two_takes_it_over, f) {
	leave_a_dead_holder(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = let_another_take_it_over;
	assert_int_equal(MCP_NOT_STORED, acquire(f));
	f->world.before_call = NULL;
	assert_false(mcp_hold_is_open(&f->hold));
	assert_string_equal("carol", stored_owner(f));
}

LOCK_TEST(a_takeover_without_an_answer_is_looked_at_again, f) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	for (size_t i = 0; i < 2; i++) {
		leave_a_dead_holder(f);
		world_watch(&f->world, 3, faults[i]);
		assert_int_equal(MCP_OK, acquire(f));
		assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
		assert_int_equal(MCP_OK, mcp_lock_verify(&f->lock, &f->hold));
		assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	}
}

LOCK_TEST(an_unsettled_takeover_is_unknown_and_given_back_later, f) {
	leave_a_dead_holder(f);
	world_watch(&f->world, 3, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, acquire(f));
	assert_false(is_held(f));
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_null(world_peek(&f->world, ITEM));
}

LOCK_TEST(who_is_taken_over_has_lost_it, f) {
	assert_int_equal(MCP_OK, rival_acquire(f));
	uint64_t first = 0, second = 0;
	assert_int_equal(MCP_OK, mcp_lock_fence(&f->rival, &f->rival_hold, &first));
	world_pass(&f->world, TTL_MS + SKEW_MS);
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(MCP_OK, mcp_lock_fence(&f->lock, &f->hold, &second));
	assert_true(second > first);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->rival, &f->rival_hold));
	assert_int_equal(MCP_OK, mcp_lock_verify(&f->lock, &f->hold));
}

LOCK_TEST(a_dead_holder_is_waited_out_to_the_millisecond, f) {
	rival_acquire(f);
	uint64_t before_ms = f->world.monotonic_ms;
	assert_int_equal(MCP_OK, acquire_by(f, TTL_MS + 2000));
	assert_int_equal(TTL_MS + SKEW_MS, f->world.monotonic_ms - before_ms);
}

LOCK_TEST(what_is_free_to_others_is_lost_though_nobody_took_it, f) {
	acquire(f);
	world_pass(&f->world, TTL_MS + SKEW_MS - 1);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	acquire(f);
	world_pass(&f->world, TTL_MS + SKEW_MS);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_null(world_peek(&f->world, ITEM));
	acquire(f);
	uint64_t stamp = f->hold.stamp;
	world_pass(&f->world, TTL_MS + SKEW_MS);
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(stamp != f->hold.stamp);
}

/* --- clocks --- */

LOCK_TEST(a_host_whose_clock_is_ahead_by_less_than_skew_takes_nothing_early, f) {
	assert_int_equal(MCP_OK, acquire(f));
	world_pass(&f->world, TTL_MS - 1);
	assert_true(is_held(f));
	set_wall_clock(f, SKEW_MS - 1);
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	set_wall_clock(f, 1);
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

/* The whole site's clocks were an hour late and are put right: others may take it over at once. */
LOCK_TEST(a_clock_that_is_set_forward_ends_it_for_its_holder_too, f) {
	assert_int_equal(MCP_OK, acquire(f));
	set_wall_clock(f, 3600000);
	assert_false(is_held(f));
	assert_int_equal(0, mcp_lock_remaining_ms(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, rival_acquire(f));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_verify(&f->lock, &f->hold));
}

LOCK_TEST(a_clock_that_is_set_back_lengthens_nothing, f) {
	assert_int_equal(MCP_OK, acquire(f));
	set_wall_clock(f, -3600000);
	world_pass(&f->world, TTL_MS);
	assert_false(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	/* memcached ends it then. */
	world_pass(&f->world, 62000);
	set_wall_clock(f, 3600000);
	assert_int_equal(MCP_OK, rival_acquire(f));
}

LOCK_TEST(a_refresh_on_a_clock_that_was_set_back_believes_the_shorter_end, f) {
	assert_int_equal(MCP_OK, acquire(f));
	set_wall_clock(f, -4000);
	world_watch(&f->world, 2, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, mcp_lock_refresh(&f->lock, &f->hold));
	set_wall_clock(f, 4000);
	assert_int_equal(TTL_MS - 4000, mcp_lock_remaining_ms(&f->lock, &f->hold));
}

LOCK_TEST(without_a_believed_clock_memcached_alone_ends_it, f) {
	f->lock.skew_ms = f->rival.skew_ms = MCP_LOCK_FOREVER;
	assert_int_equal(MCP_OK, acquire(f));
	set_wall_clock(f, 1);
	assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
	world_pass(&f->world, TTL_MS - 1);
	assert_true(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	/* Somebody else's skew makes no difference: the item tells no end. */
	f->rival.skew_ms = 0;
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	world_pass(&f->world, 3001);
	assert_int_equal(MCP_OK, rival_acquire(f));
}

LOCK_TEST(who_believes_no_clock_takes_nothing_over, f) {
	leave_a_dead_holder(f);
	f->lock.skew_ms = MCP_LOCK_FOREVER;
	assert_int_equal(MCP_NOT_STORED, acquire(f));
	assert_int_equal(MCP_OK, mcp_lock_find(&f->lock));
}

LOCK_TEST(without_an_end_it_lasts_until_it_is_released, f) {
	f->lock.ttl_ms = MCP_LOCK_FOREVER;
	assert_int_equal(MCP_OK, acquire(f));
	world_pass(&f->world, 100ull * 365 * 24 * 3600 * 1000);
	assert_true(is_held(f));
	assert_true(MCP_LOCK_FOREVER == mcp_lock_remaining_ms(&f->lock, &f->hold));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	f->lock.ttl_ms = TTL_MS;
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, rival_acquire(f));
}

/* --- items of others --- */

LOCK_TEST(an_item_of_another_format_is_held_until_memcached_drops_it, f) {
	static const char *const values[] = {"alice", "", "lock1 0 alice", "lock2 0 1 alice"};
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		world_put(&f->world, ITEM, values[i], 5000);
		world_pass(&f->world, 4000);
		assert_int_equal(MCP_NOT_STORED, acquire(f));
		assert_int_equal(MCP_NOT_FOUND, mcp_lock_adopt(&f->lock, &f->hold));
		mcp_bytes owner;
		assert_int_equal(MCP_OK, mcp_lock_find_owner(&f->lock, &owner));
		assert_int_equal(strlen(values[i]), owner.length);
		world_pass(&f->world, 4000);
		assert_int_equal(MCP_OK, acquire(f));
		assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	}
}

LOCK_TEST(what_is_over_is_free_to_whoever_looks, f) {
	mcp_bytes owner;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_find(&f->lock));
	assert_int_equal(MCP_OK, rival_acquire(f));
	assert_int_equal(MCP_OK, mcp_lock_find_owner(&f->lock, &owner));
	assert_int_equal(3, owner.length);
	assert_memory_equal("bob", owner.data, 3);
	world_pass(&f->world, TTL_MS + SKEW_MS - 1);
	assert_int_equal(MCP_OK, mcp_lock_find(&f->lock));
	world_pass(&f->world, 1);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_find(&f->lock));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_adopt(&f->rival, &f->rival_hold));
	/* Nothing has changed it. */
	assert_string_equal("bob", stored_owner(f));
}
