/* Holds every wait of the patterns to its one rule beside the deadline: when the caller has something to
 * run, the wait ends at once, nothing is held, and the rest can be waited for afterwards. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "bell_world.h"
#include "cache_world.h"
#include "../../src/patterns/counter/counter.h"
#include "../../src/core/waking/wakeups.h"
#include "../../src/patterns/waiting.h"

#define WAIT_MS 30000u
#define SLEEPS 3

static test_world *watched;

/* Signals as a signal does whose handler is not run until the wait has ended. */
static bool after_some_sleeps(const mcp_environment *environment) {
	return watched->sleeps >= SLEEPS;
}

static bool always(const mcp_environment *environment) {
	return true;
}

static void interrupt(cache_world *w) {
	watched = &w->world;
	world_watch(watched, 0, WORLD_SOUND);
	watched->environment.is_interrupted = after_some_sleeps;
}

CACHE_TEST(a_pause_that_is_interrupted_is_not_begun, w) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_environment *environment = &w->world.environment;
	uint64_t now_ms = w->world.monotonic_ms;
	environment->is_interrupted = always;
	assert_int_equal(MCP_WAIT_AGAIN, mcp_waiting_begin(environment, &pauses));
	assert_int_equal(MCP_WAIT_INTERRUPTED, mcp_waiting_pause(environment, &pauses, now_ms + 1));
	assert_int_equal(now_ms, w->world.monotonic_ms);
	assert_int_equal(MCP_WAIT_OVER, mcp_waiting_pause(environment, &pauses, now_ms));
	environment->is_interrupted = NULL;
	assert_int_equal(MCP_WAIT_AGAIN, mcp_waiting_pause(environment, &pauses, now_ms + 1));
	assert_int_equal(now_ms + 1, w->world.monotonic_ms);
}

static uint64_t within_a_millisecond(const mcp_environment *environment) {
	return mcp_monotonic_ms(environment) * MCP_NS_PER_MS + MCP_NS_PER_MS / 2;
}

static mcp_pauses begin_within_a_millisecond(mcp_environment *environment) {
	mcp_pauses pauses = {.has_begun = false};
	environment->monotonic_ns = within_a_millisecond;
	mcp_waiting_begin(environment, &pauses);
	return pauses;
}

CACHE_TEST(a_wait_is_never_shorter_than_it_was_asked_for, w) {
	mcp_environment *environment = &w->world.environment;
	uint64_t now_ms = w->world.monotonic_ms;
	mcp_pauses pauses = begin_within_a_millisecond(environment);
	assert_int_equal(0, mcp_pauses_waited_ms(&pauses, now_ms));
	assert_int_equal(MCP_WAIT_OVER, mcp_waiting_pause(environment, &pauses, pauses.begun_ms));
	assert_int_equal(MCP_WAIT_AGAIN, mcp_waiting_pause(environment, &pauses, pauses.begun_ms + 1));
	assert_int_equal(now_ms + 2, w->world.monotonic_ms);
	assert_int_equal(MCP_WAIT_OVER, mcp_waiting_pause(environment, &pauses, pauses.begun_ms + 1));
}

CACHE_TEST(what_is_free_before_the_rounded_start_is_waited_for, w) {
	mcp_environment *environment = &w->world.environment;
	uint64_t now_ms = w->world.monotonic_ms;
	mcp_pauses pauses = begin_within_a_millisecond(environment);
	mcp_wait next = mcp_waiting_pause_for(environment, &pauses, now_ms + 100, now_ms);
	assert_int_equal(MCP_WAIT_AGAIN, next);
	assert_true(w->world.monotonic_ms > now_ms);
}

/* --- a flood of signals: one a millisecond, each of which cuts the pause that it comes in --- */

static bool is_signalled;

static bool by_the_flood(const mcp_environment *environment) {
	return is_signalled;
}

static void sleep_until_the_next(const mcp_environment *environment, uint32_t duration_ms) {
	world_pass(watched, duration_ms > 0 ? 1 : 0);
	is_signalled = true;
}

static void flood(cache_world *w) {
	watched = &w->world;
	is_signalled = false;
	world_watch(watched, 0, WORLD_SOUND);
	watched->environment.is_interrupted = by_the_flood;
	watched->environment.sleep_ms = sleep_until_the_next;
}

/* Handles as mcp_interrupt_run does. */
static bool has_handled(mcp_status status) {
	is_signalled = false;
	return status == MCP_INTERRUPTED;
}

/* The most that test_backoff.c has found. */
#define LOOKS_MAX 108
#define FLOOD_WAIT_MS 2500u

static void assert_waited(const cache_world *w, uint64_t begun_ms, unsigned calls_at_most) {
	assert_int_equal(FLOOD_WAIT_MS, w->world.monotonic_ms - begun_ms);
	assert_in_range(w->world.calls, 61, calls_at_most);
}

CACHE_TEST(a_cut_pause_goes_on_where_it_was_cut, w) {
	mcp_pauses pauses = {.has_begun = false};
	const mcp_environment *environment = &w->world.environment;
	uint64_t begun_ms = w->world.monotonic_ms;
	mcp_waiting_begin(environment, &pauses);
	world_pass(&w->world, 800);
	flood(w);
	assert_int_equal(MCP_WAIT_INTERRUPTED, mcp_waiting_pause(environment, &pauses, UINT64_MAX));
	uint64_t pause_end_ms = pauses.pause_end_ms;
	assert_in_range(pause_end_ms - begun_ms, 850, 900);
	while (has_handled(MCP_INTERRUPTED) &&
		mcp_waiting_begin(environment, &pauses) == MCP_WAIT_INTERRUPTED) {
		assert_int_equal(pause_end_ms, pauses.pause_end_ms);
	}
	assert_int_equal(pause_end_ms, w->world.monotonic_ms);
}

static mcp_lock lock_of(cache_world *w, const char *owner) {
	return (mcp_lock){
		.store = w->world.store,
		.environment = &w->world.environment,
		.key = &w->key,
		.owner = mcp_bytes_text(owner),
		.ttl_ms = 2 * WAIT_MS,
	};
}

CACHE_TEST(a_lock_is_waited_for_until_an_interruption, w) {
	mcp_lock rival = lock_of(w, "bob"), lock = lock_of(w, "alice");
	mcp_hold rivals = {0}, hold = {0};
	mcp_lock_acquire(&rival, &rivals, 0);
	interrupt(w);
	assert_int_equal(MCP_INTERRUPTED, mcp_lock_acquire(&lock, &hold, WAIT_MS));
	assert_int_equal(SLEEPS, w->world.sleeps);
	assert_false(mcp_hold_is_open(&hold));
	assert_int_equal(MCP_OK, mcp_lock_release(&rival, &rivals));
	assert_int_equal(MCP_OK, mcp_lock_acquire(&lock, &hold, WAIT_MS));
}

CACHE_TEST(signals_make_no_lock_look_more_often, w) {
	mcp_lock rival = lock_of(w, "bob"), lock = lock_of(w, "alice");
	mcp_hold rivals = {0}, hold = {0};
	mcp_pauses pauses = {.has_begun = false};
	lock.pauses = &pauses;
	mcp_lock_acquire(&rival, &rivals, 0);
	flood(w);
	uint64_t begun_ms = w->world.monotonic_ms;
	while (has_handled(mcp_lock_acquire(&lock, &hold, FLOOD_WAIT_MS))) {
	}
	assert_waited(w, begun_ms, 2 * LOOKS_MAX);
	assert_false(mcp_hold_is_open(&hold));
}

static mcp_counter counter_of(cache_world *w) {
	return (mcp_counter){
		.store = w->world.store,
		.environment = &w->world.environment,
		.key = &w->key,
		.wait_ms = WAIT_MS,
	};
}

CACHE_TEST(a_first_number_is_waited_for_until_an_interruption, w) {
	mcp_counter counter = counter_of(w);
	mcp_counter_claim rivals, claim;
	assert_int_equal(MCP_OK, mcp_counter_elect(&counter, &rivals));
	interrupt(w);
	assert_int_equal(MCP_INTERRUPTED, mcp_counter_elect(&counter, &claim));
	assert_int_equal(SLEEPS, w->world.sleeps);
	assert_false(mcp_hold_is_open(&claim.hold));
	mcp_counter_release(&counter, &rivals);
	assert_int_equal(MCP_OK, mcp_counter_elect(&counter, &claim));
	assert_true(mcp_hold_is_open(&claim.hold));
}

CACHE_TEST(a_drain_is_waited_for_until_an_interruption, w) {
	mcp_counter counter = counter_of(w);
	mcp_key_buffer buffer;
	mcp_key guard = mcp_counter_guard_key(&buffer, &w->key, MCP_COUNTER_DUTY_DRAIN);
	mcp_lock rival = lock_of(w, "bob");
	mcp_hold rivals = {0};
	rival.key = &guard;
	int64_t number;
	assert_int_equal(MCP_OK, mcp_counter_start(&counter, 4, 1, &number));
	mcp_lock_acquire(&rival, &rivals, 0);
	interrupt(w);
	assert_int_equal(MCP_INTERRUPTED, mcp_counter_drain(&counter, &number));
	assert_int_equal(0, number);
	assert_int_equal(SLEEPS, w->world.sleeps);
	assert_int_equal(MCP_OK, mcp_lock_release(&rival, &rivals));
	assert_int_equal(MCP_OK, mcp_counter_drain(&counter, &number));
	assert_int_equal(5, number);
}

CACHE_TEST(a_cold_value_is_waited_for_until_an_interruption, w) {
	mcp_remember remember = {
		.lifetime = {.ttl_ms = 10 * WAIT_MS, .grace_ms = 0},
		.wait_ms = WAIT_MS,
	};
	w->rival.lease_ms = w->cache.lease_ms = 2 * WAIT_MS;
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	interrupt(w);
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_int_equal(MCP_INTERRUPTED, w->entry.trouble);
	assert_int_equal(SLEEPS, w->world.sleeps);
	assert_int_equal(0,
		w->statistics.counts[MCP_COUNT_MISSES] + w->statistics.counts[MCP_COUNT_ERRORS] +
			w->statistics.counts[MCP_COUNT_ELECTIONS]);
	mcp_cache_value value = text_value("rival's");
	mcp_cache_publish(&w->rival, &w->key, &w->rival_entry.claim, &value);
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_FRESH, w->entry.verdict);
}

CACHE_TEST(signals_make_no_counter_look_more_often, w) {
	mcp_counter counter = counter_of(w);
	mcp_counter_claim rivals, claim;
	mcp_pauses pauses = {.has_begun = false};
	assert_int_equal(MCP_OK, mcp_counter_elect(&counter, &rivals));
	counter.wait_ms = FLOOD_WAIT_MS;
	counter.pauses = &pauses;
	flood(w);
	uint64_t begun_ms = w->world.monotonic_ms;
	while (has_handled(mcp_counter_elect(&counter, &claim))) {
	}
	assert_false(mcp_hold_is_open(&claim.hold));
	assert_waited(w, begun_ms, 3 * LOOKS_MAX); /* the guard's add and its holder, the number */
}

CACHE_TEST(signals_make_no_drain_look_more_often, w) {
	mcp_counter counter = counter_of(w);
	mcp_key_buffer buffer;
	mcp_key guard = mcp_counter_guard_key(&buffer, &w->key, MCP_COUNTER_DUTY_DRAIN);
	mcp_lock rival = lock_of(w, "bob");
	mcp_hold rivals = {0};
	mcp_pauses pauses = {.has_begun = false};
	rival.key = &guard;
	mcp_lock_acquire(&rival, &rivals, 0);
	counter.wait_ms = FLOOD_WAIT_MS;
	counter.pauses = &pauses;
	flood(w);
	uint64_t begun_ms = w->world.monotonic_ms;
	int64_t number;
	while (has_handled(mcp_counter_drain(&counter, &number))) {
	}
	assert_waited(w, begun_ms, 2 * LOOKS_MAX);
}

CACHE_TEST(signals_make_no_cold_key_be_looked_at_more_often, w) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_remember remember = {
		.lifetime = {.ttl_ms = 10 * WAIT_MS, .grace_ms = 0},
		.wait_ms = FLOOD_WAIT_MS,
	};
	w->rival.lease_ms = w->cache.lease_ms = 2 * WAIT_MS;
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	remember.pauses = &pauses;
	flood(w);
	uint64_t begun_ms = w->world.monotonic_ms;
	do {
		mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	} while (has_handled(w->entry.trouble));
	assert_true(w->entry.claim.is_overdue);
	assert_waited(w, begun_ms, LOOKS_MAX);
	assert_in_range(w->statistics.counts[MCP_COUNT_WAITED], 60, LOOKS_MAX - 1);
}

/* --- rings --- */

#define RINGS 10

static uint64_t rung_ms;

static void ring(void *actor) {
	bell_world *bells = actor;
	rung_ms = mcp_monotonic_ms(&bells->environment);
	mcp_ring(&bells->environment, (mcp_wakeup_slot){bells->bell, 1}, false);
}

/* Returns for how long a wait that is rung for again and again sleeps by the clock. */
static uint64_t rung_for(cache_world *w, bool finds_something) {
	mcp_pauses pauses = {.has_begun = false};
	bell_world *bells =
		bell_world_open(w->world.store, &w->world.environment, &w->world.monotonic_ms);
	uint64_t end_ms = w->world.monotonic_ms + WAIT_MS;
	assert_non_null(bells);
	bells->actor = bells;
	mcp_waiting_begin(&bells->environment, &pauses);
	world_pass(&w->world, 1000); /* pauses are long by then */
	uint64_t from_ms = w->world.monotonic_ms;
	mcp_waiting_listen(&pauses, (mcp_wakeup_slot){bells->bell, 1});
	mcp_waiting_pause(&bells->environment, &pauses, end_ms);
	for (int i = 0; i < RINGS; i++) {
		bells->while_asleep = ring;
		assert_int_equal(MCP_WAIT_AGAIN, mcp_waiting_pause(&bells->environment, &pauses, end_ms));
		assert_true(pauses.was_rung);
		assert_int_equal(rung_ms, w->world.monotonic_ms); /* whoever was woken looks at once */
		if (finds_something) {
			mcp_waiting_found_more(&pauses);
		}
	}
	bell_world_close(bells);
	return w->world.monotonic_ms - from_ms;
}

CACHE_TEST(rings_in_vain_are_answered_more_and_more_slowly, w) {
	assert_int_equal((RINGS - 1) * (RINGS - 2) / 2, rung_for(w, false));
}

CACHE_TEST(rings_that_brought_something_are_not_in_vain, w) {
	assert_int_equal(0, rung_for(w, true));
}

/* Those of a wait of 2.5 s: by the clock, and where something rings whenever it sleeps. */
#define CLOCK_LOOKS_MAX 90
#define RUNG_LOOKS_MAX (2 * CLOCK_LOOKS_MAX)
/* Each of them by a ring, none of which lets the time pass. */
#define LOOKS_WITHOUT_END 10000

/* Returns how often a wait of 2.5 s looks. */
static unsigned count_looks(cache_world *w, bool is_rung) {
	mcp_pauses pauses = {.has_begun = false};
	bell_world *bells =
		bell_world_open(w->world.store, &w->world.environment, &w->world.monotonic_ms);
	assert_non_null(bells);
	bells->actor = bells;
	mcp_waiting_begin(&bells->environment, &pauses);
	uint64_t end_ms = pauses.begun_ms + 2500;
	mcp_waiting_listen(&pauses, (mcp_wakeup_slot){bells->bell, 1});
	unsigned looks = 1;
	do {
		bells->while_asleep = is_rung ? ring : NULL;
		looks++;
	} while (looks < LOOKS_WITHOUT_END &&
		mcp_waiting_pause(&bells->environment, &pauses, end_ms) == MCP_WAIT_AGAIN);
	bell_world_close(bells);
	return looks;
}

CACHE_TEST(what_rings_without_a_pause_has_it_look_at_most_twice_as_often_as_the_clock, w) {
	assert_in_range(count_looks(w, false), 60, CLOCK_LOOKS_MAX);
	assert_in_range(count_looks(w, true), CLOCK_LOOKS_MAX, RUNG_LOOKS_MAX);
}
