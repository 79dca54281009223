/* Holds cold keys to C4 and C6 where it is hardest: after failures, over values that are dead, and with every
 * call's answer or request lost. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cold_world.h"

static mcp_cache_entry ask(cold_fixture *f, uint32_t wait_ms) {
	mcp_remember remember = cold_asking(wait_ms);
	mcp_cache_entry entry;
	mcp_cache_remember(&f->cache, &f->keys[0], &remember, &entry);
	return entry;
}

static mcp_status publish(cold_fixture *f, const mcp_claim *claim, const char *text) {
	mcp_cache_value value = cold_value(text);
	return mcp_cache_publish(&f->cache, &f->keys[0], claim, &value);
}

static void assert_shown(cold_fixture *f, const char *text) {
	mcp_cache_entry entry;
	mcp_cache_read(&f->cache, &f->keys[0], &entry);
	assert_true(entry.has_value);
	assert_true(mcp_bytes_equal(entry.payload, mcp_bytes_text(text)));
}

static void give_up(cold_fixture *f, mcp_claim claim) {
	assert_int_equal(MCP_OK, mcp_cache_abandon(&f->cache, &f->keys[0], &claim, true));
}

COLD_TEST(after_a_failure_one_at_a_time_is_elected_after_growing_pauses) {
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

/* A rebuild that runs on past its value's hard end, while others have made a placeholder of it. */
COLD_TEST(a_placeholder_over_a_dead_value_does_not_shut_its_rebuild_out) {
	cold_fixture *f = *state;
	cold_put(f, 0, "old");
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
	uint64_t waited_ms = f->last_ms - f->begun_ms;
	uint64_t pause_ms = world->monotonic_ms - f->last_ms;
	f->last_ms = world->monotonic_ms;
	assert_true(pause_ms > 0 && pause_ms <= 100);
	assert_true(pause_ms <= 2 || pause_ms <= waited_ms / 8);
}

COLD_TEST(a_wait_is_as_long_as_asked_and_no_pause_is_over_an_eighth_of_it) {
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
}

static void prepare_old(cold_fixture *f) {
	cold_put(f, 0, "old");
	world_pass(&f->world, TTL_MS);
}

static void prepare_dead(cold_fixture *f) {
	cold_put(f, 0, "dead");
	world_pass(&f->world, 2 * TTL_MS);
}

static void prepare_killed_winner(cold_fixture *f) {
	ask(f, 0);
	world_pass(&f->world, LEASE_MS);
}

/* Holds one fault: a value said to be stored is there, and whatever was lost, the key is fresh soon after. */
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

COLD_TEST(whatever_is_lost_the_key_recovers_within_a_lease) {
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
COLD_TEST(a_key_that_is_gone_when_read_back_is_elected_for_anew) {
	cold_fixture *f = *state;
	prepare_old(f);
	world_watch(&f->world, 2, WORLD_REPLY_LOST);
	f->world.before_call = delete_before_the_third_call;
	mcp_cache_entry entry = ask(f, 0);
	assert_int_equal(MCP_VERDICT_ELECTED, entry.verdict);
	assert_int_equal(MCP_OK, publish(f, &entry.claim, "value"));
	cold_put(f, 0, "fresh");
	mcp_remember remember = cold_asking(0);
	remember.early = 1000;
	mcp_cache_value slow = cold_value("slow");
	slow.compute_ms = UINT32_MAX;
	mcp_cache_set(&f->cache, &f->keys[0], &slow);
	world_watch(&f->world, 2, WORLD_REPLY_LOST);
	mcp_cache_remember(&f->cache, &f->keys[0], &remember, &entry);
	assert_int_equal(MCP_VERDICT_ELECTED, entry.verdict);
	assert_false(entry.has_value);
}
