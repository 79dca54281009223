/* Holds what follows a rebuild that came to nothing to C6: the mark of a result that could not be stored, under which
 * nobody waits, and the pause after failures, which is waited for only while it is short. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

#define WAIT_MS 2500u
#define PATIENCE_MS (WAIT_MS / 4)

static mcp_remember asking(bool serve_stale) {
	return (mcp_remember){
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.wait_ms = WAIT_MS,
		.serve_stale = serve_stale,
	};
}

/* Asks without a pause, whatever it comes to. */
static mcp_verdict ask(cache_world *w, mcp_remember remember) {
	world_watch(&w->world, 0, WORLD_SOUND);
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(0, w->world.sleeps);
	return w->entry.verdict;
}

/* Marks the key: the rival is elected, and its result cannot be stored. */
static void mark(cache_world *w) {
	mcp_remember remember = asking(true);
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	assert_int_equal(MCP_OK, mcp_cache_mark_uncacheable(&w->rival, &w->key, &w->rival_entry.claim));
}

/* Fails as the rival, elected again and again, until the next try is so far off. */
static void fail_until(cache_world *w, uint64_t off_ms) {
	mcp_remember remember = asking(true);
	remember.wait_ms = 60000;
	do {
		mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
		assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
		mcp_cache_abandon(&w->rival, &w->key, &w->rival_entry.claim, true);
	} while (stored_envelope(w).pause_end_ms - w->world.wall_ms < off_ms);
	w->world.sleeps = 0;
}

static mcp_status publish(cache_world *w, const char *text) {
	mcp_cache_value value = text_value(text);
	return mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value);
}

CACHE_TEST(on_a_marked_cold_key_all_compute_at_once, w) {
	mark(w);
	mcp_envelope envelope = stored_envelope(w);
	assert_true(mcp_envelope_is_uncacheable(&envelope));
	assert_false(envelope.has_value || envelope.has_claim);
	assert_int_equal(w->world.wall_ms + LEASE_MS, envelope.pause_end_ms);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(MCP_VERDICT_ELECTED, ask(w, asking(i % 2 == 0)));
		assert_true(w->entry.claim.is_overdue);
		assert_int_equal(1, w->world.calls);
	}
	assert_int_equal(MCP_OK, publish(w, "small at last"));
	assert_string_equal("small at last", shown(w));
	assert_false(stored_envelope(w).has_failure);
}

CACHE_TEST(a_mark_leaves_the_old_value_to_those_who_take_it, w) {
	put_old(w, "old");
	mark(w);
	assert_int_equal(MCP_VERDICT_STALE, ask(w, asking(true)));
	assert_string_equal("old", shown(w));
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_STALE, w->entry.verdict);
	world_pass(&w->world, LEASE_MS - 1);
	assert_int_equal(MCP_VERDICT_STALE, ask(w, asking(true)));
	world_pass(&w->world, 1);
	assert_int_equal(MCP_VERDICT_ELECTED, ask(w, asking(true)));
	assert_false(w->entry.claim.is_overdue);
}

/* A strict caller computes, and what it computes may take the old value's place: that one and no other's. */
CACHE_TEST(who_takes_no_old_value_computes_under_a_mark, w) {
	put_old(w, "old");
	mark(w);
	assert_int_equal(MCP_VERDICT_ELECTED, ask(w, asking(false)));
	assert_true(w->entry.has_value);
	mcp_claim first = w->entry.claim;
	ask(w, asking(false));
	assert_int_equal(MCP_OK, publish(w, "new"));
	assert_string_equal("new", shown(w));
	mcp_cache_value late = text_value("late");
	assert_int_equal(MCP_NOT_STORED, mcp_cache_publish(&w->cache, &w->key, &first, &late));
	assert_string_equal("new", shown(w));
}

CACHE_TEST(who_forces_computes_under_a_mark, w) {
	mcp_value_id outdated = {.is_set = false};
	mcp_remember remember = asking(false);
	put_old(w, "old");
	mark(w);
	mcp_cache_touch(&w->rival, &w->key, remember.lifetime);
	remember.outdated = &outdated;
	assert_int_equal(MCP_VERDICT_ELECTED, ask(w, remember));
	assert_int_equal(MCP_FRESH, w->entry.freshness);
	assert_int_equal(MCP_OK, publish(w, "new"));
}

CACHE_TEST(whatever_stores_or_removes_ends_a_mark, w) {
	void (*const ends[])(cache_world * w) = {rival_sets, rival_deletes, rival_expires};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		rival_deletes(w);
		mark(w);
		uint64_t epoch = stored_envelope(w).epoch;
		ends[i](w);
		mcp_cache_entry entry;
		mcp_cache_read(&w->rival, &w->key, &entry);
		assert_true(entry.is_absent || entry.envelope.epoch != epoch);
		assert_true(entry.is_absent || !entry.envelope.has_failure);
	}
	rival_deletes(w);
	mark(w);
	mcp_cache_value value = text_value("added");
	assert_int_equal(MCP_OK, mcp_cache_add(&w->cache, &w->key, &value));
	assert_string_equal("added", shown(w));
}

CACHE_TEST(only_its_own_claim_is_marked, w) {
	mcp_remember remember = asking(true);
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	mcp_claim claim = w->rival_entry.claim;
	rival_expires(w);
	assert_int_equal(MCP_NOT_STORED, mcp_cache_mark_uncacheable(&w->rival, &w->key, &claim));
	claim.is_overdue = true;
	assert_int_equal(MCP_NOT_STORED, mcp_cache_mark_uncacheable(&w->rival, &w->key, &claim));
	assert_false(stored_envelope(w).has_failure);
}

CACHE_TEST(failures_are_counted_anew_after_a_mark_and_a_mark_ends_them, w) {
	fail_until(w, 0);
	fail_until(w, 0);
	assert_int_equal(2, stored_envelope(w).failures);
	world_pass(&w->world, LEASE_MS);
	mark(w);
	assert_int_equal(0, stored_envelope(w).failures);
	world_pass(&w->world, LEASE_MS);
	fail_until(w, 0);
	assert_int_equal(1, stored_envelope(w).failures);
}

CACHE_TEST(a_long_pause_on_a_cold_key_is_told_at_once, w) {
	fail_until(w, PATIENCE_MS);
	assert_int_equal(MCP_VERDICT_MISS, ask(w, asking(true)));
	assert_int_equal(MCP_PAUSED, w->entry.trouble);
	assert_int_equal(stored_envelope(w).pause_end_ms, w->entry.envelope.pause_end_ms);
	assert_int_equal(1, w->world.calls);
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_ERRORS]);
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_MISSES]);
}

CACHE_TEST(without_a_wait_no_pause_is_waited_for, w) {
	mcp_remember remember = asking(true);
	remember.wait_ms = 0;
	fail_until(w, 0);
	ask(w, remember);
	assert_int_equal(MCP_PAUSED, w->entry.trouble);
}

CACHE_TEST(a_short_pause_is_waited_out, w) {
	mcp_remember remember = asking(true);
	fail_until(w, 0);
	uint64_t end_ms = stored_envelope(w).pause_end_ms;
	assert_true(end_ms - w->world.wall_ms < PATIENCE_MS);
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	assert_true(w->world.wall_ms >= end_ms);
}

/* From here on it is as long off as is not worth waiting for. */
CACHE_TEST(a_pause_is_waited_for_from_a_quarter_of_the_wait_on, w) {
	fail_until(w, PATIENCE_MS);
	world_pass(&w->world, stored_envelope(w).pause_end_ms - w->world.wall_ms - PATIENCE_MS);
	ask(w, asking(true));
	assert_int_equal(MCP_PAUSED, w->entry.trouble);
	world_pass(&w->world, 1);
	mcp_remember remember = asking(true);
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	assert_true(w->world.sleeps > 0);
}

/* Nobody rebuilds, and nobody will while it would wait. */
CACHE_TEST(in_a_long_pause_the_old_value_is_taken_at_once, w) {
	put_old(w, "old");
	rival_is_elected(w);
	mcp_cache_abandon(&w->rival, &w->key, &w->rival_claim, true);
	mcp_remember remember = asking(false);
	remember.wait_ms = 40;
	assert_int_equal(MCP_VERDICT_STALE, ask(w, remember));
	assert_string_equal("old", shown(w));
}

static void fail_late(test_world *world, unsigned sleeps) {
	cache_world *w = world->actor;
	if (w->rival_claim.token != 0 && w->world.monotonic_ms >= w->rival_claim.end_ms) {
		mcp_cache_abandon(&w->rival, &w->key, &w->rival_claim, true);
		w->rival_claim.token = 0;
	}
}

/* It has waited for another caller's result, which has failed at the last moment: one at a time may still try. */
CACHE_TEST(who_has_waited_long_enough_is_elected_in_a_short_pause, w) {
	mcp_remember remember = asking(true);
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	w->rival_claim = w->rival_entry.claim;
	w->rival_claim.end_ms = w->world.monotonic_ms + WAIT_MS - 1; /* for fail_late */
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.after_sleep = fail_late;
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
	assert_false(w->entry.claim.is_overdue);
	assert_int_equal(MCP_OPENING_PAUSED, w->entry.opening);
}
