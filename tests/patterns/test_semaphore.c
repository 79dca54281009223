/* Holds the semaphore to S1, S3, S4 and S5: as many holders as permits, dead ones' permits, and what a failed try leaves. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/patterns/lock/semaphore.h"
#include "../../src/store/store.h"
#include "world.h"

enum { PERMITS = 3, HOLDERS = 5, TTL_MS = 10000 };

typedef struct semaphore_world {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_semaphore semaphore;
	mcp_key keys[PERMITS];
	mcp_key_buffer buffers[PERMITS];
	mcp_op replies[PERMITS];
	uint32_t free_ones[PERMITS];
	mcp_semaphore_scratch scratch;
	mcp_hold holds[HOLDERS];
	uint32_t permits[HOLDERS];
} semaphore_world;

static semaphore_world opened;

static int open_semaphore_world(void **state) {
	semaphore_world *w = &opened;
	memset(w, 0, sizeof(*w));
	world_open(&w->world);
	w->key = world_key(&w->buffer, MCP_SPACE_SEMAPHORE, "export");
	w->semaphore.permits = PERMITS;
	w->semaphore.lock = (mcp_lock){
		.store = w->world.store,
		.environment = &w->world.environment,
		.key = &w->key,
		.owner = mcp_bytes_of("me", 2),
		.ttl_ms = TTL_MS,
		.skew_ms = MCP_LOCK_SKEW_MS,
	};
	w->scratch = (mcp_semaphore_scratch){w->keys, w->buffers, w->replies, w->free_ones};
	*state = w;
	return 0;
}

static int close_semaphore_world(void **state) {
	world_close(&((semaphore_world *)*state)->world);
	return 0;
}

static mcp_status acquire(semaphore_world *w, unsigned holder, uint64_t wait_ms) {
	return mcp_semaphore_acquire(&w->semaphore, &w->scratch, &w->holds[holder], &w->permits[holder],
		wait_ms);
}

static mcp_status release(semaphore_world *w, unsigned holder) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_semaphore_permit_key(&buffer, &w->key, w->permits[holder]);
	mcp_lock lock = w->semaphore.lock;
	lock.key = &key;
	return mcp_lock_release(&lock, &w->holds[holder]);
}

static uint32_t available(semaphore_world *w) {
	uint32_t number;
	assert_int_equal(MCP_OK, mcp_semaphore_available(&w->semaphore, &w->scratch, &number));
	return number;
}

#define SEMAPHORE_TEST(name, w) \
	TEST_OF(semaphore_world, name, w, open_semaphore_world, close_semaphore_world)

SEMAPHORE_TEST(as_many_hold_as_there_are_permits, w) {
	unsigned seen = 0;
	for (unsigned holder = 0; holder < PERMITS; holder++) {
		assert_int_equal(PERMITS - holder, available(w));
		assert_int_equal(MCP_OK, acquire(w, holder, 0));
		seen |= 1u << w->permits[holder];
	}
	assert_int_equal(7, seen);
	assert_int_equal(0, available(w));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_STORED, acquire(w, 3, 0));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_OK, release(w, 1));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, acquire(w, 3, 0));
	assert_int_equal(2, w->world.calls);
	assert_int_equal(w->permits[1], w->permits[3]);
}

SEMAPHORE_TEST(a_permit_is_an_item_of_its_own, w) {
	for (unsigned holder = 0; holder < PERMITS; holder++) {
		acquire(w, holder, 0);
	}
	assert_non_null(world_peek(&w->world, "semaphore:export:0"));
	assert_non_null(world_peek(&w->world, "semaphore:export:2"));
	assert_null(world_peek(&w->world, "semaphore:export:3"));
}

/* S5. */
SEMAPHORE_TEST(acquiring_again_extends_the_same_permit, w) {
	for (int i = 0; i < 20; i++) {
		assert_int_equal(MCP_OK, acquire(w, 0, 0));
		uint32_t permit = w->permits[0];
		world_pass(&w->world, TTL_MS / 2);
		assert_int_equal(MCP_OK, acquire(w, 0, 0));
		assert_int_equal(permit, w->permits[0]);
		assert_int_equal(PERMITS - 1, available(w));
		assert_int_equal(MCP_OK, release(w, 0));
	}
}

/* S3. */
SEMAPHORE_TEST(a_dead_holders_permit_is_free_at_its_end_and_skew, w) {
	for (unsigned holder = 0; holder < PERMITS; holder++) {
		acquire(w, holder, 0);
		world_pass(&w->world, 1000);
	}
	world_pass(&w->world, TTL_MS - 2000 - 1);
	assert_int_equal(0, available(w));
	world_pass(&w->world, 1);
	assert_int_equal(1, available(w));
	assert_int_equal(MCP_OK, acquire(w, 3, 0));
	assert_int_equal(w->permits[0], w->permits[3]);
	/* The next one is waited for, no longer than its item says. */
	uint64_t before_ms = w->world.monotonic_ms;
	assert_int_equal(MCP_OK, acquire(w, 4, 60000));
	assert_int_equal(w->permits[1], w->permits[4]);
	assert_int_equal(1000, w->world.monotonic_ms - before_ms);
}

SEMAPHORE_TEST(a_wait_ends_at_its_deadline, w) {
	for (unsigned holder = 0; holder < PERMITS; holder++) {
		acquire(w, holder, 0);
	}
	uint64_t before_ms = w->world.monotonic_ms;
	assert_int_equal(MCP_NOT_STORED, acquire(w, 3, 2500));
	assert_int_equal(2500, w->world.monotonic_ms - before_ms);
}

/* Takes for another process what the picture showed free, in between. */
static void all_are_taken(test_world *world, unsigned call) {
	semaphore_world *w = &opened;
	if (call == 2) {
		for (uint32_t i = 0; i < PERMITS - 1; i++) {
			char name[32];
			snprintf(name, sizeof(name), "semaphore:export:%u", i);
			world_put(world, name, "another's", 60000);
		}
		assert_false(mcp_hold_is_open(&w->holds[1]));
	}
}

SEMAPHORE_TEST(what_was_taken_meanwhile_is_followed_by_the_next_of_the_picture, w) {
	for (int i = 0; i < 10; i++) {
		world_restart(&w->world);
		w->holds[0] = (mcp_hold){0};
		world_watch(&w->world, 0, WORLD_SOUND);
		w->world.before_call = all_are_taken;
		assert_int_equal(MCP_OK, acquire(w, 0, 0));
		w->world.before_call = NULL;
		assert_int_equal(PERMITS - 1, w->permits[0]);
	}
}

SEMAPHORE_TEST(what_could_not_be_asked_is_not_full, w) {
	uint32_t number;
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, acquire(w, 0, 1000));
	assert_false(mcp_hold_is_open(&w->holds[0]));
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_semaphore_available(&w->semaphore, &w->scratch, &number));
}

/* An item that an unsettled add may have left is given back under its permit, and no other one was tried. */
SEMAPHORE_TEST(an_unknown_permit_is_kept_to_be_released, w) {
	world_watch(&w->world, 2, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, acquire(w, 0, 0));
	w->world.is_down = false;
	assert_true(mcp_hold_is_open(&w->holds[0]));
	assert_int_equal(PERMITS - 1, available(w));
	assert_int_equal(MCP_OK, release(w, 0));
	assert_int_equal(PERMITS, available(w));
}

SEMAPHORE_TEST(another_format_in_a_permits_place_is_taken, w) {
	world_put(&w->world, "semaphore:export:1", "hello", 0);
	assert_int_equal(PERMITS - 1, available(w));
	assert_int_equal(MCP_OK, acquire(w, 0, 0));
	assert_int_equal(MCP_OK, acquire(w, 1, 0));
	assert_int_equal(MCP_NOT_STORED, acquire(w, 2, 0));
}

/* --- a try and the look at all in one send --- */

/* Returns how many calls it costs. */
static unsigned calls_of_acquire(semaphore_world *w, unsigned holder, mcp_status status) {
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(status, acquire(w, holder, 0));
	return w->world.calls;
}

SEMAPHORE_TEST(a_free_permit_is_one_send, w) {
	unsigned seen = 0;
	world_take_steps(&w->world);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(1, calls_of_acquire(w, 0, MCP_OK));
		seen |= 1u << w->permits[0];
		assert_int_equal(PERMITS - 1, available(w));
		assert_int_equal(MCP_OK, release(w, 0));
	}
	assert_int_equal(7, seen);
}

/* S4. */
SEMAPHORE_TEST(that_all_are_taken_is_one_send, w) {
	world_take_steps(&w->world);
	for (unsigned holder = 0; holder < PERMITS; holder++) {
		acquire(w, holder, 0);
	}
	assert_int_equal(0, available(w));
	assert_int_equal(1, calls_of_acquire(w, 3, MCP_NOT_STORED));
	assert_false(mcp_hold_is_open(&w->holds[3]));
	assert_int_equal(0, available(w));
}

SEMAPHORE_TEST(who_tries_one_that_is_taken_has_seen_the_free_ones, w) {
	unsigned at_once = 0, rounds = 100;
	world_take_steps(&w->world);
	acquire(w, 0, 0);
	acquire(w, 1, 0);
	for (unsigned i = 0; i < rounds; i++) {
		unsigned calls = calls_of_acquire(w, 2, MCP_OK);
		assert_in_range(calls, 1, 2);
		at_once += calls == 1;
		assert_int_equal(0, available(w));
		assert_int_equal(MCP_OK, release(w, 2));
	}
	assert_in_range(at_once, 15, 60); /* a third */
}

SEMAPHORE_TEST(more_permits_than_a_send_takes_are_looked_at_first, w) {
	enum { FEW = MCP_STEPS_MAX - 1 };
	mcp_key keys[FEW + 1];
	mcp_key_buffer buffers[FEW + 1];
	mcp_op replies[FEW + 1];
	uint32_t free_ones[FEW + 1];
	w->scratch = (mcp_semaphore_scratch){keys, buffers, replies, free_ones};
	world_take_steps(&w->world);
	w->semaphore.permits = FEW;
	assert_int_equal(1, calls_of_acquire(w, 0, MCP_OK));
	assert_int_equal(MCP_OK, release(w, 0));
	w->semaphore.permits = FEW + 1;
	assert_int_equal(2, calls_of_acquire(w, 0, MCP_OK));
}

SEMAPHORE_TEST(a_try_without_an_answer_is_settled, w) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	world_take_steps(&w->world);
	for (unsigned i = 0; i < 2; i++) {
		world_watch(&w->world, 1, faults[i]);
		assert_int_equal(MCP_OK, acquire(w, 0, 0));
		assert_int_equal(PERMITS - 1, available(w));
		assert_int_equal(MCP_OK, release(w, 0));
		assert_int_equal(PERMITS, available(w));
	}
}

SEMAPHORE_TEST(a_try_that_cannot_be_settled_is_kept_to_be_released, w) {
	world_take_steps(&w->world);
	world_watch(&w->world, 1, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, acquire(w, 0, 0));
	w->world.is_down = false;
	assert_true(mcp_hold_is_open(&w->holds[0]));
	assert_int_equal(PERMITS - 1, available(w));
	assert_int_equal(MCP_OK, release(w, 0));
	assert_int_equal(PERMITS, available(w));
}

SEMAPHORE_TEST(what_could_not_be_sent_is_not_full, w) {
	world_take_steps(&w->world);
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, acquire(w, 0, 1000));
	assert_false(mcp_hold_is_open(&w->holds[0]));
}

/* Loses the permit behind its add, and gives it to another, before it is looked at. */
static void another_has_it(test_world *world) {
	char name[32];
	for (uint32_t i = 0; i < PERMITS; i++) {
		snprintf(name, sizeof(name), "semaphore:export:%u", i);
		world_remove(world, name);
		world_put(world, name, "another's", 0);
	}
}

SEMAPHORE_TEST(anothers_item_behind_the_try_proves_nothing, w) {
	world_prove(&w->world);
	world_take_steps(&w->world);
	w->world.in_between = another_has_it;
	assert_int_equal(MCP_OK, acquire(w, 0, 0));
	w->world.in_between = NULL;
	assert_int_equal(MCP_NOT_FOUND, release(w, 0));
	assert_int_equal(0, available(w));
}

SEMAPHORE_TEST(what_is_seen_behind_the_try_is_released_by_one_call, w) {
	world_prove(&w->world);
	world_take_steps(&w->world);
	assert_int_equal(MCP_OK, acquire(w, 0, 0));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, release(w, 0));
	assert_int_equal(1, w->world.calls);
	assert_int_equal(PERMITS, available(w));
}
