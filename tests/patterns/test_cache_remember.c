/* Holds the lookup of a caller that will compute to C4, C5 and C10: cold elections with rivals and lost
 * answers, bounded waiting, and early refreshes, all on clocks that pauses move on. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

#define WAIT_MS 2500u

static void rival_asks(cache_world *w) {
	mcp_remember remember = cache_asking(WAIT_MS);
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	w->rival_claim = w->rival_entry.claim;
}

static void publish_rivals(cache_world *w) {
	mcp_cache_value value = text_value("rival's");
	mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value);
}

CACHE_TEST(a_cold_key_elects_one_with_a_placeholder, w) {
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, cache_asking(WAIT_MS)));
	assert_int_equal(2, w->world.calls);
	assert_null(shown(w));
	mcp_envelope envelope = stored_envelope(w);
	assert_false(envelope.has_value);
	assert_true(envelope.has_claim);
	assert_int_equal(w->world.wall_ms + 2 * TTL_MS, envelope.hard_ms);
}

/* Publishes for the rival after a few pauses of the one that waits. */
static void publish_after_three_pauses(test_world *world, unsigned sleeps) {
	if (sleeps == 3) {
		publish_rivals(world->actor);
	}
}

CACHE_TEST(whoever_loses_the_placeholder_waits_for_the_value, w) {
	for (unsigned at = 1; at <= 2; at++) {
		rival_deletes(w);
		interleave(w, at, rival_asks);
		w->world.after_sleep = publish_after_three_pauses;
		assert_int_equal(MCP_VERDICT_FRESH, cache_ask(w, cache_asking(WAIT_MS)));
		assert_int_equal(3, w->world.sleeps);
	}
	assert_int_equal(6, w->statistics.counts[MCP_COUNT_WAITED]);
}

CACHE_TEST(waiting_ends_on_time_and_may_end_the_wait_for_all, w) {
	rival_asks(w);
	uint64_t start_ms = w->world.monotonic_ms;
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, cache_asking(WAIT_MS)));
	assert_int_equal(WAIT_MS, w->world.monotonic_ms - start_ms);
	assert_true(w->entry.claim.is_overdue);
	mcp_cache_value value = text_value("overdue");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
	assert_string_equal("overdue", shown(w));
	/* It was nobody's to give back, and the one that was waited for comes too late. */
	assert_int_equal(MCP_NOT_STORED, mcp_cache_abandon(&w->cache, &w->key, &w->entry.claim, false));
	publish_rivals(w);
	assert_string_equal("overdue", shown(w));
}

CACHE_TEST(an_overdue_result_never_replaces_a_value, w) {
	rival_asks(w);
	cache_ask(w, cache_asking(WAIT_MS));
	publish_rivals(w);
	mcp_cache_value value = text_value("overdue");
	assert_int_equal(MCP_NOT_STORED,
		mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
	assert_string_equal("rival's", shown(w));
}

CACHE_TEST(a_claim_that_runs_out_first_is_taken_over, w) {
	w->rival.lease_ms = 1000;
	rival_asks(w);
	uint64_t start_ms = w->world.monotonic_ms;
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, cache_asking(WAIT_MS)));
	assert_false(w->entry.claim.is_overdue);
	assert_int_equal(2, w->entry.claim.election);
	assert_in_range(w->world.monotonic_ms - start_ms, 1000, 1100);
}

CACHE_TEST(a_claim_given_back_is_taken_at_the_next_look, w) {
	rival_asks(w);
	mcp_cache_abandon(&w->rival, &w->key, &w->rival_claim, false);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, cache_asking(WAIT_MS)));
	assert_int_equal(0, w->world.sleeps);
}

CACHE_TEST(with_no_wait_nobody_pauses, w) {
	rival_asks(w);
	mcp_remember remember = cache_asking(WAIT_MS);
	remember.wait_ms = 0;
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, remember));
	assert_int_equal(0, w->world.sleeps);
}

CACHE_TEST(an_add_whose_answer_was_lost_is_found_again, w) {
	disturb(w, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, cache_asking(WAIT_MS)));
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
}

CACHE_TEST(an_add_that_never_arrived_leaves_a_miss_to_compute, w) {
	disturb(w, 2, WORLD_REQUEST_LOST);
	assert_int_equal(MCP_VERDICT_MISS, cache_ask(w, cache_asking(WAIT_MS)));
	assert_null(world_peek(&w->world, "k"));
	disturb(w, 1, WORLD_DOWN);
	assert_int_equal(MCP_VERDICT_MISS, cache_ask(w, cache_asking(WAIT_MS)));
}

/* As behind a proxy: over an old value, over one that is forced or refreshed early, and over none. */
CACHE_TEST(a_claim_that_was_kept_back_is_made_again, w) {
	mcp_value_id outdated;
	mcp_remember plain = cache_asking(WAIT_MS), forcing = plain, early = plain;
	forcing.outdated = &outdated;
	early.early = 1000;
	const mcp_remember asked[] = {plain, forcing, early};
	for (size_t i = 0; i < 3; i++) {
		outdated = (mcp_value_id){.is_set = false};
		put_slow(w);
		world_pass(&w->world, i == 0 ? TTL_MS : TTL_MS - 1);
		disturb(w, 2, WORLD_KEPT_BACK);
		assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, asked[i]));
		assert_int_equal(4, w->world.calls);
		assert_int_equal(0, w->world.sleeps);
	}
	world_put(&w->world, "k", "foreign", 0);
	disturb(w, 2, WORLD_KEPT_BACK);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, plain));
}

CACHE_TEST(foreign_bytes_are_replaced_by_the_placeholder, w) {
	world_put(&w->world, "k", "foreign", 0);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, cache_asking(WAIT_MS)));
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
	assert_string_equal("new", shown(w));
}

CACHE_TEST(the_second_source_waits_for_the_new_value, w) {
	mcp_remember patient = cache_asking(WAIT_MS);
	patient.serve_stale = false;
	put_old(w, "old");
	rival_is_elected(w);
	uint64_t start_ms = w->world.monotonic_ms;
	assert_int_equal(MCP_VERDICT_BUSY, cache_ask(w, patient));
	assert_int_equal(WAIT_MS, w->world.monotonic_ms - start_ms);
	assert_true(w->entry.has_value);
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.after_sleep = publish_after_three_pauses;
	assert_int_equal(MCP_VERDICT_FRESH, cache_ask(w, patient));
	assert_string_equal("rival's", shown(w));
}

static bool is_elected(cache_world *w, mcp_remember remember) {
	return cache_ask(w, remember) == MCP_VERDICT_ELECTED;
}

CACHE_TEST(an_early_refresh_is_one_callers_and_follows_xfetch, w) {
	assert_early_follows_xfetch(w, cache_asking(WAIT_MS), is_elected);
	put_slow(w);
	world_pass(&w->world, TTL_MS - 1);
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_FRESH, w->rival_entry.verdict);
}

/* Makes a key that comes and goes faster than it can be claimed. */
static void delete_before_every_call(test_world *world, unsigned call) {
	cache_world *w = world->actor;
	if (call % 2 == 0) {
		put_old(w, "old");
	} else {
		rival_deletes(w);
	}
}

CACHE_TEST(a_race_lost_for_ever_still_ends, w) {
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = delete_before_every_call;
	mcp_verdict verdict = cache_ask(w, cache_asking(WAIT_MS));
	assert_true(verdict == MCP_VERDICT_MISS || verdict == MCP_VERDICT_ELECTED);
	assert_true(w->world.calls < 1000);
}
