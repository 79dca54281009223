/* Waiters of a lock and of a semaphore that sleep on a bell: one is woken, and who is and does not get to ask wakes another. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/patterns/lock/semaphore.h"
#include "bell_world.h"
#include "world.h"

enum { TTL_MS = 10000, WAIT_MS = 500 };

/* Acquires either a lock or the one permit of a semaphore. */
typedef struct waker_world {
	test_world world;
	bell_world *bells;
	bool is_semaphore, is_signalled;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_lock lock, rival;
	mcp_hold hold, rival_hold;
	mcp_pauses pauses;
} waker_world;

static waker_world opened;

static int open_wakers(void **state, bool is_semaphore) {
	waker_world *w = &opened;
	memset(w, 0, sizeof(*w));
	world_open(&w->world);
	w->bells = bell_world_open(w->world.store, &w->world.environment, &w->world.monotonic_ms);
	if (w->bells == NULL) {
		return -1;
	}
	w->is_semaphore = is_semaphore;
	w->bells->actor = w;
	w->key = world_key(&w->buffer, is_semaphore ? MCP_SPACE_SEMAPHORE : MCP_SPACE_LOCK, "job");
	w->rival = (mcp_lock){
		.store = w->bells->store,
		.environment = &w->bells->environment,
		.key = &w->key,
		.owner = mcp_bytes_of("bob", 3),
		.ttl_ms = TTL_MS,
		.skew_ms = MCP_LOCK_SKEW_MS,
	};
	w->lock = w->rival;
	w->lock.owner = mcp_bytes_of("alice", 5);
	w->lock.pauses = &w->pauses;
	*state = w;
	return 0;
}

static int open_lock(void **state) {
	return open_wakers(state, false);
}

static int open_semaphore(void **state) {
	return open_wakers(state, true);
}

static int close_wakers(void **state) {
	waker_world *w = *state;
	bell_world_close(w->bells);
	world_close(&w->world);
	return 0;
}

static mcp_status acquire(waker_world *w, const mcp_lock *lock, mcp_hold *hold, uint64_t wait_ms) {
	mcp_semaphore semaphore = {*lock, 1};
	mcp_key permit_key;
	mcp_key_buffer buffer;
	mcp_op reply;
	uint32_t free_one, permit = 0;
	mcp_semaphore_scratch scratch = {&permit_key, &buffer, &reply, &free_one};
	return w->is_semaphore ? mcp_semaphore_acquire(&semaphore, &scratch, hold, &permit, wait_ms)
						   : mcp_lock_acquire(lock, hold, wait_ms);
}

static mcp_status wait(waker_world *w) {
	return acquire(w, &w->lock, &w->hold, WAIT_MS);
}

static void take(waker_world *w) {
	assert_int_equal(MCP_OK, acquire(w, &w->rival, &w->rival_hold, 0));
}

static void give_back(void *actor) {
	waker_world *w = actor;
	mcp_key_buffer buffer;
	mcp_key key = w->key;
	mcp_lock lock = w->rival;
	if (w->is_semaphore) {
		key = mcp_semaphore_permit_key(&buffer, &w->key, 0);
	}
	lock.key = &key;
	assert_int_equal(MCP_OK, mcp_lock_release(&lock, &w->rival_hold));
}

static void who_is_woken_has_it_and_wakes_nobody(void **state) {
	waker_world *w = *state;
	take(w);
	w->bells->while_asleep = give_back;
	assert_int_equal(MCP_OK, wait(w));
	assert_int_equal(1, w->bells->wakes);
	assert_int_equal(0, w->bells->wakes_of_all);
}

static void give_back_and_go_down(void *actor) {
	waker_world *w = actor;
	give_back(actor);
	w->world.is_down = true;
}

static void who_is_woken_and_finds_no_server_wakes_another(void **state) {
	waker_world *w = *state;
	take(w);
	w->bells->while_asleep = give_back_and_go_down;
	assert_int_equal(MCP_UNREACHABLE, wait(w));
	assert_int_equal(2, w->bells->wakes);
	assert_int_equal(0, w->bells->wakes_of_all);
}

static bool is_signalled(const mcp_environment *environment) {
	return opened.is_signalled;
}

static void give_back_and_signal(void *actor) {
	give_back(actor);
	opened.is_signalled = true;
}

static void who_is_woken_and_has_a_handler_to_run_wakes_another(void **state) {
	waker_world *w = *state;
	w->bells->environment.is_interrupted = is_signalled;
	take(w);
	w->bells->while_asleep = give_back_and_signal;
	assert_int_equal(MCP_INTERRUPTED, wait(w));
	assert_int_equal(2, w->bells->wakes);
	w->is_signalled = false;
	assert_int_equal(MCP_OK, wait(w));
	assert_int_equal(2, w->bells->wakes);
}

static void give_back_and_take(void *actor) {
	give_back(actor);
	take(actor);
}

static void who_is_woken_and_finds_it_anothers_wakes_nobody(void **state) {
	waker_world *w = *state;
	take(w);
	w->bells->while_asleep = give_back_and_take;
	assert_int_equal(MCP_NOT_STORED, wait(w));
	assert_int_equal(1, w->bells->wakes);
}

enum { TURNS = 10 };

static int turns_left;

/* Has another one take it first, again and again. */
static void give_back_and_take_often(void *actor) {
	waker_world *w = actor;
	give_back(actor);
	if (--turns_left > 0) {
		take(w);
		w->bells->while_asleep = give_back_and_take_often;
	}
}

/* Waits for what is another's while that happens so often. Returns for how long. */
static uint64_t wait_while(waker_world *w, void (*often)(void *actor)) {
	take(w);
	uint64_t began_ms = w->world.monotonic_ms;
	turns_left = TURNS;
	w->bells->while_asleep = often;
	assert_int_equal(MCP_OK, wait(w));
	return w->world.monotonic_ms - began_ms;
}

static void who_is_woken_again_and_again_for_what_another_takes_first_hears_all_of_it(void *
		*state) {
	waker_world *w = *state;
	assert_int_equal(0, wait_while(w, give_back_and_take_often));
	assert_int_equal(TURNS, w->bells->wakes);
}

/* Rings for another key that has the same bell. */
static void ring_often(void *actor) {
	waker_world *w = actor;
	if (--turns_left == 0) {
		give_back(actor);
		return;
	}
	mcp_bell_raise(w->bells->bell);
	w->bells->while_asleep = ring_often;
}

static void who_is_woken_for_nothing_hears_less_and_less(void **state) {
	assert_true(wait_while(*state, ring_often) >= TURNS);
}

static void go_down(void *actor) {
	((waker_world *)actor)->world.is_down = true;
}

static void who_was_not_woken_wakes_nobody(void **state) {
	waker_world *w = *state;
	take(w);
	w->bells->while_asleep = go_down;
	assert_int_equal(MCP_UNREACHABLE, wait(w));
	assert_int_equal(0, w->bells->wakes);
}

static void signal_one(void *actor) {
	opened.is_signalled = true;
}

static void a_signal_alone_wakes_nobody(void **state) {
	waker_world *w = *state;
	w->bells->environment.is_interrupted = is_signalled;
	take(w);
	w->bells->while_asleep = signal_one;
	assert_int_equal(MCP_INTERRUPTED, wait(w));
	assert_int_equal(0, w->bells->wakes);
}

/* Gives it back where nobody rings for this host. */
static void give_back_elsewhere(void *actor) {
	world_remove(&((waker_world *)actor)->world, "semaphore:job:0");
}

static void give_back_both(void *actor) {
	give_back(actor);
	world_remove(&((waker_world *)actor)->world, "semaphore:job:1");
}

/* Waits for one of two permits, of which one is another's. Returns how often anybody was woken. */
static unsigned wait_for_one_of_two(waker_world *w, void (*meanwhile)(void *actor)) {
	mcp_semaphore semaphore = {w->lock, 2};
	mcp_key keys[2];
	mcp_key_buffer buffers[2];
	mcp_op replies[2];
	uint32_t free_ones[2], permit = 0;
	mcp_semaphore_scratch scratch = {keys, buffers, replies, free_ones};
	take(w);
	world_put(&w->world, "semaphore:job:1", "another's", 0);
	w->bells->while_asleep = meanwhile;
	assert_int_equal(MCP_OK,
		mcp_semaphore_acquire(&semaphore, &scratch, &w->hold, &permit, WAIT_MS));
	return w->bells->wakes;
}

static void who_is_woken_and_finds_one_permit_wakes_nobody(void **state) {
	assert_int_equal(1, wait_for_one_of_two(*state, give_back));
}

static void who_finds_one_permit_by_the_clock_wakes_nobody(void **state) {
	assert_int_equal(0, wait_for_one_of_two(*state, give_back_elsewhere));
}

static void who_finds_more_permits_wakes_another(void **state) {
	assert_int_equal(2, wait_for_one_of_two(*state, give_back_both));
}

#define SEMAPHORE_TEST(test) cmocka_unit_test_setup_teardown(test, open_semaphore, close_wakers)
#define WAKING_TEST(test) \
	cmocka_unit_test_setup_teardown(test, open_lock, close_wakers), SEMAPHORE_TEST(test)

int main(void) {
	const struct CMUnitTest tests[] = {
		WAKING_TEST(who_is_woken_has_it_and_wakes_nobody),
		WAKING_TEST(who_is_woken_and_finds_no_server_wakes_another),
		WAKING_TEST(who_is_woken_and_has_a_handler_to_run_wakes_another),
		WAKING_TEST(who_is_woken_and_finds_it_anothers_wakes_nobody),
		WAKING_TEST(who_is_woken_again_and_again_for_what_another_takes_first_hears_all_of_it),
		WAKING_TEST(who_is_woken_for_nothing_hears_less_and_less),
		WAKING_TEST(who_was_not_woken_wakes_nobody),
		WAKING_TEST(a_signal_alone_wakes_nobody),
		SEMAPHORE_TEST(who_is_woken_and_finds_one_permit_wakes_nobody),
		SEMAPHORE_TEST(who_finds_one_permit_by_the_clock_wakes_nobody),
		SEMAPHORE_TEST(who_finds_more_permits_wakes_another),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
