/* Holds the lock protocol to L1-L9: against another holder at every call, with every call's answer or
 * request lost, on clocks that are moved rather than waited for. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/patterns/lock.h"
#include "../../src/store/store_memory.h"
#include "world.h"

#define TTL_MS 10000
#define ITEM "lock:job"

/* Two holders of one name. */
typedef struct lock_fixture {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_lock lock, rival;
	mcp_hold hold, rival_hold;
} lock_fixture;

static int open_fixture(void **state) {
	static lock_fixture fixture;
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.world.actor = &fixture;
	fixture.key = world_key(&fixture.buffer, MCP_SPACE_LOCK, "job");
	fixture.lock = (mcp_lock){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
		.key = &fixture.key,
		.owner = mcp_bytes_of("alice", 5),
		.ttl_ms = TTL_MS,
	};
	fixture.rival = fixture.lock;
	fixture.rival.owner = mcp_bytes_of("bob", 3);
	*state = &fixture;
	return 0;
}

static int close_fixture(void **state) {
	world_close(&((lock_fixture *)*state)->world);
	return 0;
}

static mcp_status acquire(lock_fixture *f) {
	return mcp_lock_acquire(&f->lock, &f->hold, 0);
}

static mcp_status rival_acquire(lock_fixture *f) {
	return mcp_lock_acquire(&f->rival, &f->rival_hold, 0);
}

static bool is_held(lock_fixture *f) {
	return mcp_lock_is_held(&f->lock, &f->hold);
}

static void one_of_two_holds_it(void **state) {
	lock_fixture *f = *state;
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	assert_true(is_held(f));
	assert_false(mcp_hold_is_open(&f->rival_hold));
	assert_string_equal("alice", world_peek(&f->world, ITEM));
}

static void acquiring_costs_one_round_trip(void **state) {
	lock_fixture *f = *state;
	world_watch(&f->world, 0, WORLD_SOUND);
	acquire(f);
	assert_int_equal(1, f->world.calls);
}

static void its_own_deadline_ends_before_the_item_does(void **state) {
	lock_fixture *f = *state;
	for (unsigned phase_ms = 0; phase_ms < 1000; phase_ms += 37) {
		world_pass(&f->world, 37);
		assert_int_equal(MCP_OK, acquire(f));
		assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
		world_pass(&f->world, TTL_MS - 1);
		assert_true(is_held(f));
		assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
		world_pass(&f->world, 1);
		assert_false(is_held(f));
		world_pass(&f->world, 2000);
		assert_int_equal(MCP_OK, rival_acquire(f));
		assert_int_equal(MCP_OK, mcp_lock_release(&f->rival, &f->rival_hold));
		f->hold = (mcp_hold){0};
	}
}

static void make_it_take_a_second(test_world *world, unsigned call) {
	(void)call;
	world_pass(world, 1000);
}

static void the_deadline_counts_from_before_the_add(void **state) {
	lock_fixture *f = *state;
	uint64_t before_ms = f->world.monotonic_ms;
	f->world.before_call = make_it_take_a_second;
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(before_ms + TTL_MS, f->hold.deadline_ms);
}

static void make_it_slow(test_world *world, unsigned call) {
	(void)call;
	world_pass(world, TTL_MS);
}

static void what_took_longer_to_get_than_it_lives_is_not_held(void **state) {
	lock_fixture *f = *state;
	f->world.before_call = make_it_slow;
	assert_int_equal(MCP_NOT_STORED, acquire(f));
	f->world.before_call = NULL;
	assert_false(is_held(f));
	assert_false(mcp_hold_is_open(&f->hold));
}

static void over_thirty_days_still_excludes(void **state) {
	lock_fixture *f = *state;
	f->lock.ttl_ms = f->rival.ttl_ms = 40ull * 24 * 3600 * 1000;
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	world_pass(&f->world, 39ull * 24 * 3600 * 1000);
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

static void release_frees_it_at_once(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(2, f->world.calls);
	assert_false(is_held(f));
	assert_int_equal(MCP_OK, rival_acquire(f));
}

static void release_of_what_was_never_held_is_not_found(void **state) {
	lock_fixture *f = *state;
	rival_acquire(f);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_string_equal("bob", world_peek(&f->world, ITEM));
}

static void release_never_frees_anothers(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_pass(&f->world, TTL_MS + 2000);
	assert_int_equal(MCP_OK, rival_acquire(f));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_string_equal("bob", world_peek(&f->world, ITEM));
}

/* The rival takes the lock between our look at it and our delete. */
static void let_the_rival_in(test_world *world, unsigned call) {
	lock_fixture *f = world->actor;
	if (call == 2) {
		world_pass(world, TTL_MS + 2000);
		assert_int_equal(MCP_OK, rival_acquire(f));
	}
}

static void release_never_frees_one_taken_in_between(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = let_the_rival_in;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_string_equal("bob", world_peek(&f->world, ITEM));
}

static void refresh_never_takes_one_taken_in_between(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = let_the_rival_in;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_refresh(&f->lock, &f->hold));
	assert_false(is_held(f));
	assert_string_equal("bob", world_peek(&f->world, ITEM));
}

static void an_earlier_acquisition_never_frees_a_later_one_of_the_same_owner(void **state) {
	lock_fixture *f = *state;
	f->rival.owner = f->lock.owner;
	acquire(f);
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
	world_pass(&f->world, TTL_MS + 2000);
	assert_int_equal(MCP_OK, rival_acquire(f));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, mcp_lock_verify(&f->rival, &f->rival_hold));
}

static void refresh_starts_the_ttl_again(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_pass(&f->world, TTL_MS - 1);
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	world_pass(&f->world, TTL_MS - 1);
	assert_true(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

static void refresh_can_shorten(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	f->lock.ttl_ms = 1000;
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(1000, mcp_lock_remaining_ms(&f->lock, &f->hold));
	world_pass(&f->world, 3000);
	assert_int_equal(MCP_OK, rival_acquire(f));
}

static void acquiring_what_is_held_extends_it(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	uint32_t stamp = f->hold.stamp;
	world_pass(&f->world, 5000);
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(stamp, f->hold.stamp);
	assert_int_equal(TTL_MS, mcp_lock_remaining_ms(&f->lock, &f->hold));
}

static void acquiring_what_was_lost_starts_anew(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_remove(&f->world, ITEM);
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(is_held(f));
	assert_string_equal("alice", world_peek(&f->world, ITEM));
}

static void waiting_ends_at_its_deadline(void **state) {
	lock_fixture *f = *state;
	rival_acquire(f);
	uint64_t before_ms = f->world.monotonic_ms;
	assert_int_equal(MCP_NOT_STORED, mcp_lock_acquire(&f->lock, &f->hold, 730));
	assert_int_equal(730, f->world.monotonic_ms - before_ms);
	assert_true(f->world.sleeps >= 730 / 100);
}

static void free_it_while_the_other_waits(test_world *world, unsigned sleeps) {
	lock_fixture *f = world->actor;
	if (sleeps == 3) {
		assert_int_equal(MCP_OK, mcp_lock_release(&f->rival, &f->rival_hold));
	}
}

static void who_waits_gets_it_when_it_is_freed(void **state) {
	lock_fixture *f = *state;
	rival_acquire(f);
	f->world.after_sleep = free_it_while_the_other_waits;
	assert_int_equal(MCP_OK, mcp_lock_acquire(&f->lock, &f->hold, 5000));
	assert_int_equal(3, f->world.sleeps);
}

static void a_dead_holder_is_waited_out(void **state) {
	lock_fixture *f = *state;
	rival_acquire(f);
	assert_int_equal(MCP_OK, mcp_lock_acquire(&f->lock, &f->hold, TTL_MS + 2000));
}

static void an_unanswered_add_is_settled_by_reading_back(void **state) {
	lock_fixture *f = *state;
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

static void an_add_that_never_arrived_is_sent_again(void **state) {
	lock_fixture *f = *state;
	world_watch(&f->world, 1, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_OK, acquire(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

static void an_unanswered_add_that_lost_is_not_held(void **state) {
	lock_fixture *f = *state;
	rival_acquire(f);
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_NOT_STORED, acquire(f));
	assert_false(mcp_hold_is_open(&f->hold));
}

static void an_unanswered_add_that_lost_to_the_same_owner_is_not_held(void **state) {
	lock_fixture *f = *state;
	f->rival.owner = f->lock.owner;
	rival_acquire(f);
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_NOT_STORED, acquire(f));
	assert_false(is_held(f));
}

/* The add that was thought lost arrives right before the second one. */
static void let_the_first_add_arrive(test_world *world, unsigned call) {
	lock_fixture *f = world->actor;
	if (call == 3) {
		mcp_record late = {.body = f->lock.owner, .flags = f->hold.stamp, .ttl_ms = TTL_MS};
		assert_int_equal(MCP_OK, mcp_store_add(world->memory, &f->key, &late));
	}
}

static void an_add_that_arrives_late_after_all_is_ours(void **state) {
	lock_fixture *f = *state;
	world_watch(&f->world, 1, WORLD_REQUEST_LOST);
	f->world.before_call = let_the_first_add_arrive;
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(is_held(f));
	f->world.before_call = NULL;
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_null(world_peek(&f->world, ITEM));
}

static void an_unsettled_add_is_unknown_and_given_back_later(void **state) {
	lock_fixture *f = *state;
	world_watch(&f->world, 1, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, acquire(f));
	assert_false(is_held(f));
	assert_true(mcp_hold_is_open(&f->hold));
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, rival_acquire(f));
}

static void an_unsettled_add_is_found_again_by_acquire(void **state) {
	lock_fixture *f = *state;
	world_watch(&f->world, 1, WORLD_DOWN_AFTER);
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, acquire(f));
	assert_true(is_held(f));
}

static void an_unreachable_server_is_a_failure_at_once(void **state) {
	lock_fixture *f = *state;
	world_watch(&f->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_lock_acquire(&f->lock, &f->hold, 60000));
	assert_int_equal(0, f->world.sleeps);
	assert_false(mcp_hold_is_open(&f->hold));
}

static void a_refresh_without_an_answer_keeps_the_old_deadline(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_pass(&f->world, 4000);
	world_watch(&f->world, 2, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(6000, mcp_lock_remaining_ms(&f->lock, &f->hold));
}

static void a_shortening_without_an_answer_ends_at_the_earlier_deadline(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	f->lock.ttl_ms = 1000;
	world_watch(&f->world, 2, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, mcp_lock_refresh(&f->lock, &f->hold));
	assert_int_equal(1000, mcp_lock_remaining_ms(&f->lock, &f->hold));
}

static void a_lost_answer_never_spoils_refresh_or_release(void **state) {
	lock_fixture *f = *state;
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

static void a_release_that_reached_nobody_stays_open(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_watch(&f->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_lock_release(&f->lock, &f->hold));
	assert_false(is_held(f));
	world_watch(&f->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
}

static void another_process_adopts_it_by_its_owner(void **state) {
	lock_fixture *f = *state;
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
static void adopting_twice_makes_one_holder(void **state) {
	lock_fixture *f = *state;
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

static void an_unanswered_adoption_is_looked_at_again(void **state) {
	lock_fixture *f = *state;
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

/* A proxy may have sent on what it then refuses. */
static void a_refused_add_may_be_stored(void **state) {
	lock_fixture *f = *state;
	world_watch(&f->world, 1, WORLD_REFUSED_AFTER);
	assert_int_equal(MCP_REFUSED, acquire(f));
	assert_false(is_held(f));
	assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	assert_int_equal(MCP_OK, rival_acquire(f));
}

/* memcached's clock goes on by two seconds at once now and then, on the holder's first second too. */
static void a_clock_that_skips_a_second_frees_no_lock(void **state) {
	lock_fixture *f = *state;
	static const uint64_t ttls_ms[] = {1, 50, 999, 1000, 1001, 10000};
	for (size_t i = 0; i < sizeof(ttls_ms) / sizeof(ttls_ms[0]); i++) {
		f->lock.ttl_ms = ttls_ms[i];
		world_pass(&f->world, 999 - f->world.wall_ms % 1000);
		assert_int_equal(MCP_OK, acquire(f));
		mcp_store_memory_skip_second(f->world.memory);
		world_pass(&f->world, ttls_ms[i] - 1);
		assert_true(is_held(f));
		assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
		assert_int_equal(MCP_OK, mcp_lock_release(&f->lock, &f->hold));
	}
}

/* The refresh of a second that nobody answered lands before the refresh of a minute: that one's item has
 * another cas id than it was sent for, and is ours, but ends too soon. */
static void land_the_short_refresh(test_world *world, unsigned call) {
	lock_fixture *f = world->actor;
	mcp_item item;
	if (call == 2 && mcp_store_get(world->memory, &f->key, &item) == MCP_OK) {
		mcp_record late = {.body = f->lock.owner, .flags = f->hold.stamp, .ttl_ms = 1000};
		assert_int_equal(MCP_OK, mcp_store_cas(world->memory, &f->key, &late, item.cas));
	}
}

static void a_refresh_never_takes_an_earlier_one_for_itself(void **state) {
	lock_fixture *f = *state;
	acquire(f);
	world_watch(&f->world, 2, WORLD_REPLY_LOST);
	f->world.before_call = land_the_short_refresh;
	assert_int_equal(MCP_OK, mcp_lock_refresh(&f->lock, &f->hold));
	f->world.before_call = NULL;
	world_pass(&f->world, TTL_MS - 1);
	assert_true(is_held(f));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(f));
}

static void force_release_frees_anybodys(void **state) {
	lock_fixture *f = *state;
	rival_acquire(f);
	assert_int_equal(MCP_OK, mcp_lock_find(&f->lock));
	assert_int_equal(MCP_OK, mcp_lock_force_release(&f->lock));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_find(&f->lock));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_force_release(&f->lock));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_verify(&f->rival, &f->rival_hold));
	assert_false(mcp_lock_is_held(&f->rival, &f->rival_hold));
}

static void fencing_tokens_grow_from_holder_to_holder(void **state) {
	lock_fixture *f = *state;
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

static void a_fencing_token_is_asked_for_once(void **state) {
	lock_fixture *f = *state;
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

static void a_lost_lock_has_no_fencing_token(void **state) {
	lock_fixture *f = *state;
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

static void a_restart_while_the_token_is_asked_for_is_a_lost_lock(void **state) {
	lock_fixture *f = *state;
	uint64_t token;
	acquire(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	f->world.before_call = restart_between_the_questions;
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_fence(&f->lock, &f->hold, &token));
}

#define LOCK_TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void) {
	const struct CMUnitTest tests[] = {
		LOCK_TEST(one_of_two_holds_it),
		LOCK_TEST(acquiring_costs_one_round_trip),
		LOCK_TEST(its_own_deadline_ends_before_the_item_does),
		LOCK_TEST(the_deadline_counts_from_before_the_add),
		LOCK_TEST(what_took_longer_to_get_than_it_lives_is_not_held),
		LOCK_TEST(over_thirty_days_still_excludes),
		LOCK_TEST(release_frees_it_at_once),
		LOCK_TEST(release_of_what_was_never_held_is_not_found),
		LOCK_TEST(release_never_frees_anothers),
		LOCK_TEST(release_never_frees_one_taken_in_between),
		LOCK_TEST(refresh_never_takes_one_taken_in_between),
		LOCK_TEST(an_earlier_acquisition_never_frees_a_later_one_of_the_same_owner),
		LOCK_TEST(refresh_starts_the_ttl_again),
		LOCK_TEST(refresh_can_shorten),
		LOCK_TEST(acquiring_what_is_held_extends_it),
		LOCK_TEST(acquiring_what_was_lost_starts_anew),
		LOCK_TEST(waiting_ends_at_its_deadline),
		LOCK_TEST(who_waits_gets_it_when_it_is_freed),
		LOCK_TEST(a_dead_holder_is_waited_out),
		LOCK_TEST(an_unanswered_add_is_settled_by_reading_back),
		LOCK_TEST(an_add_that_never_arrived_is_sent_again),
		LOCK_TEST(an_unanswered_add_that_lost_is_not_held),
		LOCK_TEST(an_unanswered_add_that_lost_to_the_same_owner_is_not_held),
		LOCK_TEST(an_add_that_arrives_late_after_all_is_ours),
		LOCK_TEST(an_unsettled_add_is_unknown_and_given_back_later),
		LOCK_TEST(an_unsettled_add_is_found_again_by_acquire),
		LOCK_TEST(an_unreachable_server_is_a_failure_at_once),
		LOCK_TEST(a_refresh_without_an_answer_keeps_the_old_deadline),
		LOCK_TEST(a_shortening_without_an_answer_ends_at_the_earlier_deadline),
		LOCK_TEST(a_lost_answer_never_spoils_refresh_or_release),
		LOCK_TEST(a_release_that_reached_nobody_stays_open),
		LOCK_TEST(another_process_adopts_it_by_its_owner),
		LOCK_TEST(adopting_twice_makes_one_holder),
		LOCK_TEST(an_unanswered_adoption_is_looked_at_again),
		LOCK_TEST(a_refused_add_may_be_stored),
		LOCK_TEST(a_clock_that_skips_a_second_frees_no_lock),
		LOCK_TEST(a_refresh_never_takes_an_earlier_one_for_itself),
		LOCK_TEST(force_release_frees_anybodys),
		LOCK_TEST(fencing_tokens_grow_from_holder_to_holder),
		LOCK_TEST(a_fencing_token_is_asked_for_once),
		LOCK_TEST(a_lost_lock_has_no_fencing_token),
		LOCK_TEST(a_restart_while_the_token_is_asked_for_is_a_lost_lock),
	};
	return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
