/* Holds cold keys to C4, C6 and C12 where it is hardest: after failures, over values that are dead, with
 * every call's answer or request lost, and for many keys at once. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../src/patterns/cache.h"
#include "world.h"

#define TTL_MS 10000u
#define LEASE_MS 4000u
#define KEYS 4

/* Some hosts that ask for one key, and this host's view of a few. */
typedef struct cold_fixture {
	test_world world;
	mcp_cache_statistics statistics;
	mcp_cache cache;
	mcp_key_buffer buffers[KEYS];
	mcp_key keys[KEYS];
	mcp_cache_entry entry;
	uint64_t begun_ms, last_ms;
} cold_fixture;

static int open_fixture(void **state) {
	static const char *const names[KEYS] = {"k", "l", "m", "n"};
	static cold_fixture fixture;
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.world.actor = &fixture;
	for (int i = 0; i < KEYS; i++) {
		fixture.keys[i] = world_key(&fixture.buffers[i], MCP_SPACE_CACHE, names[i]);
	}
	fixture.cache = (mcp_cache){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
		.statistics = &fixture.statistics,
		.lease_ms = LEASE_MS,
	};
	*state = &fixture;
	return 0;
}

static int close_fixture(void **state) {
	world_close(&((cold_fixture *)*state)->world);
	return 0;
}

static mcp_remember asking(uint32_t wait_ms) {
	return (mcp_remember){
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.wait_ms = wait_ms,
		.serve_stale = true,
	};
}

static mcp_cache_entry ask(cold_fixture *f, uint32_t wait_ms) {
	mcp_remember remember = asking(wait_ms);
	mcp_cache_entry entry;
	mcp_cache_remember(&f->cache, &f->keys[0], &remember, &entry);
	return entry;
}

static mcp_cache_value text_value(const char *text) {
	return (mcp_cache_value){
		.payload = mcp_bytes_of(text, strlen(text)),
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
	};
}

static mcp_status publish(cold_fixture *f, const mcp_claim *claim, const char *text) {
	mcp_cache_value value = text_value(text);
	return mcp_cache_publish(&f->cache, &f->keys[0], claim, &value);
}

static void put(cold_fixture *f, int key, const char *text) {
	mcp_cache_value value = text_value(text);
	assert_int_equal(MCP_OK, mcp_cache_set(&f->cache, &f->keys[key], &value));
}

static void assert_shown(cold_fixture *f, const char *text) {
	mcp_cache_entry entry;
	mcp_cache_read(&f->cache, &f->keys[0], &entry);
	assert_true(entry.has_value);
	assert_true(mcp_bytes_equal(entry.payload, mcp_bytes_of(text, strlen(text))));
}

static void give_up(cold_fixture *f, mcp_claim claim) {
	assert_int_equal(MCP_OK, mcp_cache_abandon(&f->cache, &f->keys[0], &claim, true));
}

static void after_a_failure_one_at_a_time_is_elected_after_growing_pauses(void **state) {
	cold_fixture *f = *state;
	mcp_cache_entry entry = ask(f, 0);
	uint64_t middle_ms = 100;
	for (int failure = 1; failure <= 8; failure++) {
		give_up(f, entry.claim);
		uint64_t failed_ms = f->world.wall_ms;
		entry = ask(f, 60000);
		assert_int_equal(MCP_VERDICT_ELECTED, entry.verdict);
		assert_false(entry.claim.is_overdue);
		uint64_t pause_ms = f->world.wall_ms - failed_ms;
		assert_in_range(pause_ms, middle_ms / 2, middle_ms + middle_ms / 2 + 100);
		middle_ms = middle_ms * 2 < LEASE_MS ? middle_ms * 2 : LEASE_MS;
		/* Whoever else asks now waits for that one. */
		mcp_cache_entry other = ask(f, 50);
		assert_true(other.claim.is_overdue);
	}
	assert_int_equal(MCP_OK, publish(f, &entry.claim, "at last"));
	mcp_cache_read(&f->cache, &f->keys[0], &f->entry);
	assert_false(f->entry.envelope.has_failure);
}

static void who_may_not_wait_is_elected_in_the_pause_but_one_alone(void **state) {
	cold_fixture *f = *state;
	mcp_cache_entry first = ask(f, 0);
	give_up(f, first.claim);
	mcp_cache_entry second = ask(f, 0);
	assert_int_equal(MCP_VERDICT_ELECTED, second.verdict);
	assert_false(second.claim.is_overdue);
	mcp_cache_entry third = ask(f, 0);
	assert_true(third.claim.is_overdue);
	give_up(f, second.claim);
	assert_int_equal(2, ask(f, 0).envelope.failures);
}

/* A rebuild that runs on past its value's hard end, while others have made a placeholder of it. */
static void a_placeholder_over_a_dead_value_does_not_shut_its_rebuild_out(void **state) {
	cold_fixture *f = *state;
	put(f, 0, "old");
	world_pass(&f->world, 2 * TTL_MS - 1);
	mcp_cache_entry early = ask(f, 0);
	assert_int_equal(MCP_VERDICT_ELECTED, early.verdict);
	assert_true(early.has_value);
	world_pass(&f->world, LEASE_MS);
	mcp_cache_entry late = ask(f, 0);
	assert_int_equal(MCP_VERDICT_ELECTED, late.verdict);
	assert_false(late.has_value);
	assert_int_equal(early.claim.election + 1, late.claim.election);
	assert_int_equal(MCP_OK, publish(f, &early.claim, "early"));
	assert_shown(f, "early");
	assert_int_equal(MCP_OK, publish(f, &late.claim, "late"));
	assert_shown(f, "late");
	assert_int_equal(MCP_NOT_STORED, publish(f, &early.claim, "early again"));
	assert_shown(f, "late");
}

static void note_pause(test_world *world, unsigned sleeps) {
	cold_fixture *f = world->actor;
	(void)sleeps;
	uint64_t waited_ms = f->last_ms - f->begun_ms;
	uint64_t pause_ms = world->monotonic_ms - f->last_ms;
	f->last_ms = world->monotonic_ms;
	assert_true(pause_ms > 0 && pause_ms <= 100);
	assert_true(pause_ms <= 2 || pause_ms <= waited_ms / 8);
}

static void a_wait_is_as_long_as_asked_and_no_pause_is_over_an_eighth_of_it(void **state) {
	cold_fixture *f = *state;
	f->cache.lease_ms = 100000000;
	mcp_claim claim = ask(f, 0).claim;
	f->world.after_sleep = note_pause;
	for (uint32_t wait_ms = 1000; wait_ms < 60000; wait_ms += 977) {
		f->begun_ms = f->last_ms = f->world.monotonic_ms;
		mcp_cache_entry entry = ask(f, wait_ms);
		assert_true(entry.claim.is_overdue);
		assert_int_equal(wait_ms, f->world.monotonic_ms - f->begun_ms);
	}
	assert_int_equal(MCP_OK, publish(f, &claim, "value"));
}

typedef void (*preparation)(cold_fixture *f);

static void prepare_nothing(cold_fixture *f) {
	(void)f;
}

static void prepare_old(cold_fixture *f) {
	put(f, 0, "old");
	world_pass(&f->world, TTL_MS);
}

static void prepare_dead(cold_fixture *f) {
	put(f, 0, "dead");
	world_pass(&f->world, 2 * TTL_MS);
}

static void prepare_killed_winner(cold_fixture *f) {
	ask(f, 0);
	world_pass(&f->world, LEASE_MS);
}

/* What is said to be stored is there, and whatever was lost, the key is fresh soon after. */
static void hold_one_fault(cold_fixture *f, preparation prepare, unsigned at, world_fault fault) {
	mcp_cache_delete(&f->cache, &f->keys[0]);
	prepare(f);
	world_watch(&f->world, at, fault);
	mcp_cache_entry entry = ask(f, 0);
	bool is_stored = false;
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		is_stored = publish(f, &entry.claim, "first") == MCP_OK;
	}
	world_watch(&f->world, 0, WORLD_SOUND);
	if (is_stored) {
		assert_shown(f, "first");
		return;
	}
	mcp_cache_entry next = ask(f, 2 * LEASE_MS);
	if (next.verdict == MCP_VERDICT_ELECTED) {
		assert_false(next.claim.is_overdue);
		assert_int_equal(MCP_OK, publish(f, &next.claim, "next"));
		assert_shown(f, "next");
	} else {
		assert_true(next.has_value);
	}
}

static void whatever_is_lost_the_key_recovers_within_a_lease(void **state) {
	cold_fixture *f = *state;
	const preparation preparations[] = {prepare_nothing, prepare_old, prepare_dead,
		prepare_killed_winner};
	const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST, WORLD_DOWN,
		WORLD_DOWN_AFTER};
	for (size_t p = 0; p < sizeof(preparations) / sizeof(preparations[0]); p++) {
		for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
			for (unsigned at = 1; at <= 6; at++) {
				hold_one_fault(f, preparations[p], at, faults[i]);
			}
		}
	}
}

static void delete_before_the_third_call(test_world *world, unsigned call) {
	cold_fixture *f = world->actor;
	if (call == 3) {
		mcp_cache_delete(&f->cache, &f->keys[0]);
	}
}

/* The claim's answer is lost and the key is deleted before it is read back: not a miss for everybody. */
static void a_key_that_is_gone_when_read_back_is_elected_for_anew(void **state) {
	cold_fixture *f = *state;
	prepare_old(f);
	world_watch(&f->world, 2, WORLD_REPLY_LOST);
	f->world.before_call = delete_before_the_third_call;
	mcp_cache_entry entry = ask(f, 0);
	assert_int_equal(MCP_VERDICT_ELECTED, entry.verdict);
	assert_int_equal(MCP_OK, publish(f, &entry.claim, "value"));
	put(f, 0, "fresh");
	mcp_remember remember = asking(0);
	remember.early = 1000;
	mcp_cache_value slow = text_value("slow");
	slow.compute_ms = UINT32_MAX;
	mcp_cache_set(&f->cache, &f->keys[0], &slow);
	world_watch(&f->world, 2, WORLD_REPLY_LOST);
	mcp_cache_remember(&f->cache, &f->keys[0], &remember, &entry);
	assert_int_equal(MCP_VERDICT_ELECTED, entry.verdict);
	assert_false(entry.has_value);
}

/* --- many keys --- */

typedef struct many_look {
	mcp_cache_entry entries[KEYS];
	mcp_reply replies[2 * KEYS];
	mcp_key scratch_keys[2 * KEYS];
	mcp_key_buffer side_buffers[KEYS];
	mcp_remember_step steps[KEYS];
} many_look;

static void look_at_many(cold_fixture *f, many_look *look, bool is_over) {
	mcp_remember remember = asking(0);
	mcp_cache_batch batch = {
		.keys = f->keys,
		.count = KEYS,
		.entries = look->entries,
		.replies = look->replies,
		.scratch_keys = look->scratch_keys,
		.side_buffers = look->side_buffers,
	};
	mcp_cache_remember_many(&f->cache, &batch, &remember, NULL, is_over, look->steps);
}

/* k: absent, l: fresh, m: old, n: cold and claimed by another. */
static void prepare_four(cold_fixture *f) {
	put(f, 2, "old");
	world_pass(&f->world, TTL_MS);
	put(f, 1, "fresh");
	mcp_remember remember = asking(0);
	mcp_cache_entry entry;
	mcp_cache_remember(&f->cache, &f->keys[3], &remember, &entry);
	memset(&f->statistics, 0, sizeof(f->statistics));
}

static void one_look_at_many_elects_serves_and_waits_key_by_key(void **state) {
	cold_fixture *f = *state;
	many_look look;
	prepare_four(f);
	world_watch(&f->world, 0, WORLD_SOUND);
	look_at_many(f, &look, false);
	assert_int_equal(1 + 2, f->world.calls); /* all four at once, and one for each election */
	assert_int_equal(MCP_VERDICT_ELECTED, look.entries[0].verdict);
	assert_int_equal(MCP_VERDICT_FRESH, look.entries[1].verdict);
	assert_int_equal(MCP_VERDICT_ELECTED, look.entries[2].verdict);
	assert_true(look.entries[2].has_value);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[0]);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[1]);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[2]);
	assert_int_equal(MCP_REMEMBER_WAIT, look.steps[3]);
	/* The values read before the elections are still what they were. */
	assert_true(mcp_bytes_equal(look.entries[1].payload, mcp_bytes_of("fresh", 5)));
	assert_true(mcp_bytes_equal(look.entries[2].payload, mcp_bytes_of("old", 3)));
	assert_int_equal(2, f->statistics.elected);
	assert_int_equal(1, f->statistics.hits);
	look_at_many(f, &look, true);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[3]);
	assert_true(look.entries[3].claim.is_overdue);
}

/* An answer that does not come is not read back, because that would end the other entries' views. */
static void a_lost_claim_among_many_leaves_the_views_alone(void **state) {
	cold_fixture *f = *state;
	many_look look;
	prepare_four(f);
	world_watch(&f->world, 3, WORLD_REPLY_LOST);
	look_at_many(f, &look, false);
	assert_int_equal(3, f->world.calls);
	assert_int_equal(MCP_VERDICT_BUSY, look.entries[2].verdict);
	assert_true(mcp_bytes_equal(look.entries[2].payload, mcp_bytes_of("old", 3)));
	world_watch(&f->world, 1, WORLD_REPLY_LOST);
	look_at_many(f, &look, false);
	assert_true(look.entries[3].trouble != MCP_OK);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[3]);
}

/* In the same order as before, so that the cas ids are the same ones, too. */
static void put_all(cold_fixture *f, const char *text) {
	for (int i = 0; i < KEYS; i++) {
		put(f, i, text);
	}
}

static void restart_before_the_second_call(test_world *world, unsigned call) {
	if (call == 2) {
		world_restart(world);
		put_all(world->actor, "new");
	}
}

static void look_while_the_server_restarts(cold_fixture *f, many_look *look) {
	f->world.before_call = restart_before_the_second_call;
	world_watch(&f->world, 2, WORLD_REQUEST_LOST);
	look_at_many(f, look, false);
	f->world.before_call = NULL;
	assert_int_equal(2, f->world.calls);
}

static void assert_all_new(cold_fixture *f) {
	for (int i = 0; i < KEYS; i++) {
		mcp_cache_read(&f->cache, &f->keys[i], &f->entry);
		assert_int_equal(MCP_VERDICT_FRESH, f->entry.verdict);
		assert_true(mcp_bytes_equal(f->entry.payload, mcp_bytes_of("new", 3)));
	}
}

/* The first election breaks the old connection; the others would go over a new one with old ids. */
static void after_a_restart_nobody_of_many_is_elected_on_old_ids(void **state) {
	cold_fixture *f = *state;
	many_look look;
	put_all(f, "old");
	world_pass(&f->world, TTL_MS);
	look_while_the_server_restarts(f, &look);
	for (int i = 0; i < KEYS; i++) {
		assert_int_equal(MCP_REMEMBER_DONE, look.steps[i]);
		assert_int_equal(MCP_VERDICT_BUSY, look.entries[i].verdict);
		assert_true(mcp_bytes_equal(look.entries[i].payload, mcp_bytes_of("old", 3)));
	}
	assert_all_new(f);
}

static void after_a_restart_no_placeholder_of_many_is_written_on_old_ids(void **state) {
	cold_fixture *f = *state;
	many_look look;
	put_all(f, "dead");
	world_pass(&f->world, 2 * TTL_MS);
	look_while_the_server_restarts(f, &look);
	assert_int_equal(MCP_REMEMBER_DONE, look.steps[0]);
	assert_int_equal(MCP_VERDICT_MISS, look.entries[0].verdict);
	for (int i = 1; i < KEYS; i++) {
		assert_int_equal(MCP_REMEMBER_AGAIN, look.steps[i]);
	}
	assert_all_new(f);
	look_at_many(f, &look, false);
	assert_int_equal(MCP_VERDICT_FRESH, look.entries[1].verdict);
}

int main(void) {
#define COLD_TEST(f) cmocka_unit_test_setup_teardown(f, open_fixture, close_fixture)
	const struct CMUnitTest tests[] = {
		COLD_TEST(after_a_failure_one_at_a_time_is_elected_after_growing_pauses),
		COLD_TEST(who_may_not_wait_is_elected_in_the_pause_but_one_alone),
		COLD_TEST(a_placeholder_over_a_dead_value_does_not_shut_its_rebuild_out),
		COLD_TEST(a_wait_is_as_long_as_asked_and_no_pause_is_over_an_eighth_of_it),
		COLD_TEST(whatever_is_lost_the_key_recovers_within_a_lease),
		COLD_TEST(a_key_that_is_gone_when_read_back_is_elected_for_anew),
		COLD_TEST(one_look_at_many_elects_serves_and_waits_key_by_key),
		COLD_TEST(a_lost_claim_among_many_leaves_the_views_alone),
		COLD_TEST(after_a_restart_nobody_of_many_is_elected_on_old_ids),
		COLD_TEST(after_a_restart_no_placeholder_of_many_is_written_on_old_ids),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
