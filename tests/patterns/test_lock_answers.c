/* Holds the lock protocol to L7, and to L1 and L2 all the same, when answers and requests are lost, late
 * or refused. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/patterns/lock/lock.h"
#include "lock_world.h"

LOCK_TEST(an_unanswered_add_is_settled_by_reading_back, f) {
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

LOCK_TEST(an_add_that_never_arrived_is_sent_again, f) {
	world_watch(&f->world, 1, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

LOCK_TEST(an_unanswered_add_that_lost_is_not_held, f) {
	rival_acquire(f);
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_NOT_STORED, acquire(f));
	assert_false(mcp_hold_is_open(&f->hold));
}

LOCK_TEST(an_unanswered_add_that_lost_to_the_same_owner_is_not_held, f) {
	f->rival.owner = f->lock.owner;
	rival_acquire(f);
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_NOT_STORED, acquire(f));
	assert_false(is_held(f));
}

/* Carries out the add that was thought lost. No time has passed. */
static void arrive_late(lock_world *f) {
	mcp_lock_terms late;
	mcp_lock_terms_make(&f->lock, f->hold.stamp, &late);
	assert_int_equal(MCP_OK, mcp_store_add(f->world.memory, &f->key, &late.record));
}

/* Lets it arrive right before the second one. */
static void let_the_first_add_arrive(test_world *world, unsigned call) {
	lock_world *f = world->actor;
	if (call == 3) {
		arrive_late(f);
	}
}

LOCK_TEST(an_add_that_arrives_late_after_all_is_ours, f) {
	world_watch(&f->world, 1, WORLD_REQUEST_LOST);
	f->world.before_call = let_the_first_add_arrive;
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(is_held(f));
	f->world.before_call = NULL;
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_null(world_peek(&f->world, ITEM));
}

/* Calls: the add, what is there instead, a look, the next add. */
static void free_it_for_the_first_add(test_world *world, unsigned call) {
	lock_world *f = world->actor;
	if (call == 3) {
		assert_int_equal(MCP_OK, mcp_lock_release(&f->rival, &f->rival_hold));
	} else if (call == 4) {
		arrive_late(f);
	}
}

LOCK_TEST(an_add_that_arrives_between_look_and_add_is_ours, f) {
	assert_int_equal(MCP_OK, rival_acquire(f));
	world_watch(&f->world, 1, WORLD_REQUEST_LOST);
	f->world.before_call = free_it_for_the_first_add;
	assert_int_equal(MCP_OK, acquire(f));
	f->world.before_call = NULL;
	assert_true(is_held(f));
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_null(world_peek(&f->world, ITEM));
}

static void end_it_all_after_the_first_add(test_world *world, unsigned call) {
	if (call == 3) {
		arrive_late(world->actor);
		world->fault_at = call;
		world->fault = WORLD_DOWN;
	}
}

LOCK_TEST(an_add_that_arrives_before_the_server_goes_is_given_back_later, f) {
	world_watch(&f->world, 1, WORLD_REQUEST_LOST);
	f->world.before_call = end_it_all_after_the_first_add;
	assert_int_equal(MCP_UNKNOWN, acquire(f));
	f->world.before_call = NULL;
	assert_true(mcp_hold_is_open(&f->hold));
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_null(world_peek(&f->world, ITEM));
}

/* Ends it all: "Taken" was true of the rival's, which is gone when the first add arrives; the look finds no
 * server. */
static void end_it_all_before_the_look(test_world *world, unsigned call) {
	lock_world *f = world->actor;
	if (call == 3) {
		assert_int_equal(MCP_OK, mcp_lock_release(&f->rival, &f->rival_hold));
		arrive_late(f);
		world->fault_at = call;
		world->fault = WORLD_DOWN;
	}
}

LOCK_TEST(an_add_that_arrives_before_a_look_that_fails_is_given_back_later, f) {
	assert_int_equal(MCP_OK, rival_acquire(f));
	world_watch(&f->world, 1, WORLD_REQUEST_LOST);
	f->world.before_call = end_it_all_before_the_look;
	assert_int_equal(MCP_UNREACHABLE, acquire(f));
	f->world.before_call = NULL;
	assert_true(mcp_hold_is_open(&f->hold));
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_null(world_peek(&f->world, ITEM));
}

LOCK_TEST(an_unsettled_add_is_unknown_and_given_back_later, f) {
	world_watch(&f->world, 1, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, acquire(f));
	assert_false(is_held(f));
	assert_true(mcp_hold_is_open(&f->hold));
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, rival_acquire(f));
}

LOCK_TEST(an_unsettled_add_is_found_again_by_acquire, f) {
	world_watch(&f->world, 1, WORLD_DOWN_AFTER);
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(is_held(f));
}

LOCK_TEST(an_unreachable_server_is_a_failure_at_once, f) {
	world_watch(&f->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_lock_acquire(&f->lock, &f->hold, 60000));
	assert_int_equal(0, f->world.sleeps);
	assert_false(mcp_hold_is_open(&f->hold));
}

LOCK_TEST(a_refresh_without_an_answer_keeps_the_old_deadline, f) {
	acquire(f);
	world_pass(&f->world, 4000);
	world_watch(&f->world, 2, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(6000, mcp_lock_remaining_ms(&f->lock, &f->hold));
}

LOCK_TEST(a_shortening_without_an_answer_ends_at_the_earlier_deadline, f) {
	acquire(f);
	f->lock.ttl_ms = 1000;
	world_watch(&f->world, 2, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(1000, mcp_lock_remaining_ms(&f->lock, &f->hold));
}

LOCK_TEST(a_lost_answer_never_spoils_refresh_or_release, f) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(MCP_OK, acquire(f));
		world_pass(&f->world, 1000);
		world_watch(&f->world, 2, faults[i]);
		assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
		assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
		world_watch(&f->world, 2, faults[i]);
		assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
		assert_null(world_peek(&f->world, ITEM));
	}
}

LOCK_TEST(a_release_that_reached_nobody_stays_open, f) {
	acquire(f);
	world_watch(&f->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_lock_release(&f->lock, &f->hold));
	assert_false(is_held(f));
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
}

LOCK_TEST(an_unanswered_adoption_is_looked_at_again, f) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	for (size_t i = 0; i < 2; i++) {
		acquire(f);
		mcp_hold adopted = {0};
		world_watch(&f->world, 2, faults[i]);
		assert_int_equal(MCP_OK, mcp_lock_adopt(&f->lock, &adopted));
		assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &adopted));
		f->hold = (mcp_hold){0};
	}
}

static void adopt_before(test_world *world, unsigned call) {
	lock_world *f = world->actor;
	bool is_write = call % 2 == 0;
	if (is_write) {
		assert_int_equal(MCP_OK, mcp_lock_adopt(&f->lock, &f->rival_hold));
	}
}

/* A message that many were given at once: it is one of the others', which is no failure to ask. */
LOCK_TEST(who_is_always_overtaken_adopts_nothing, f) {
	acquire(f);
	mcp_hold adopted = {0};
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = adopt_before;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_adopt(&f->lock, &adopted));
	f->world.before_call = NULL;
	assert_false(mcp_hold_is_open(&adopted));
	assert_int_equal(MCP_OK, mcp_lock_verify(&f->lock, &f->rival_hold));
}

/* A proxy may have sent on what it then refuses. */
LOCK_TEST(a_refused_add_may_be_stored, f) {
	world_watch(&f->world, 1, WORLD_REFUSED_AFTER);
	assert_int_equal(MCP_REFUSED, acquire(f));
	assert_false(is_held(f));
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, rival_acquire(f));
}

/* Lands the refresh of a second that nobody answered before the refresh of a minute: that one's item has
 * another cas id than it was sent for, and is ours, but ends too soon. */
static void land_the_short_refresh(test_world *world, unsigned call) {
	lock_world *f = world->actor;
	mcp_item item;
	if (call == 2 && mcp_store_get(world->memory, &f->key, &item) == MCP_OK) {
		mcp_lock brief = f->lock;
		mcp_lock_terms late;
		brief.ttl_ms = 1000;
		mcp_lock_terms_make(&brief, f->hold.stamp, &late);
		assert_int_equal(MCP_OK, mcp_store_cas(world->memory, &f->key, &late.record, item.cas));
	}
}

LOCK_TEST(a_refresh_never_takes_an_earlier_one_for_itself, f) {
	acquire(f);
	world_watch(&f->world, 2, WORLD_REPLY_LOST);
	f->world.before_call = land_the_short_refresh;
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	f->world.before_call = NULL;
	world_pass(&f->world, TTL_MS - 1);
	assert_true(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}
