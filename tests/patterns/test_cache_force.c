/* Holds a lookup that forces a rebuild to C17: one election whatever the freshness, and for whoever loses it
 * another value than the one that it came upon. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

#define WAIT_MS 2500u

/* The distrust of the value found first; good for one lookup. */
static mcp_value_id outdated;

static mcp_remember forcing(void) {
	outdated = (mcp_value_id){.is_set = false};
	return (mcp_remember){
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.wait_ms = WAIT_MS,
		.outdated = &outdated,
	};
}

static void rival_forces(cache_world *w) {
	mcp_value_id rivals = {.is_set = false};
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.wait_ms = WAIT_MS};
	remember.outdated = &rivals;
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	w->rival_claim = w->rival_entry.claim;
}

static void publish_rivals(cache_world *w) {
	mcp_cache_value value = text_value("rival's");
	mcp_cache_publish(&w->rival, &w->key, &w->rival_claim, &value);
}

static void publish_after_three_pauses(test_world *world, unsigned sleeps) {
	if (sleeps == 3) {
		publish_rivals(world->actor);
	}
}

static void abandon_after_three_pauses(test_world *world, unsigned sleeps) {
	cache_world *w = world->actor;
	if (sleeps == 3) {
		mcp_cache_abandon(&w->rival, &w->key, &w->rival_claim, false);
	}
}

static void set_after_three_pauses(test_world *world, unsigned sleeps) {
	if (sleeps == 3) {
		rival_sets(world->actor);
	}
}

CACHE_TEST(a_fresh_value_is_claimed_and_served_on, w) {
	put_text(w, "old");
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, forcing()));
	assert_int_equal(2, w->world.calls);
	assert_true(w->entry.has_value);
	assert_int_equal(MCP_FRESH, w->entry.freshness);
	assert_string_equal("old", shown(w));
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
	assert_string_equal("new", shown(w));
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_EARLY]);
}

CACHE_TEST(old_values_and_cold_keys_elect_as_ever, w) {
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, forcing()));
	put_old(w, "old");
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, forcing()));
}

/* At either of its calls another one forces first: that one's value is the answer. */
CACHE_TEST(of_two_that_force_one_computes_and_both_have_its_value, w) {
	for (unsigned at = 1; at <= 2; at++) {
		put_text(w, "old");
		interleave(w, at, rival_forces);
		w->world.after_sleep = publish_after_three_pauses;
		assert_int_equal(MCP_VERDICT_FRESH, cache_ask(w, forcing()));
		assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
		assert_int_equal(3, w->world.sleeps);
		assert_string_equal("rival's", shown(w));
	}
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_ELECTIONS]);
}

CACHE_TEST(what_is_set_meanwhile_ends_the_wait, w) {
	put_text(w, "old");
	interleave(w, 1, rival_forces);
	w->world.after_sleep = set_after_three_pauses;
	assert_int_equal(MCP_VERDICT_FRESH, cache_ask(w, forcing()));
	assert_int_equal(3, w->world.sleeps);
}

CACHE_TEST(a_claim_given_back_is_taken_over_by_whoever_waits, w) {
	put_text(w, "old");
	interleave(w, 1, rival_forces);
	w->world.after_sleep = abandon_after_three_pauses;
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, forcing()));
	assert_int_equal(3, w->world.sleeps);
}

CACHE_TEST(the_old_value_is_the_answer_when_the_wait_is_over, w) {
	put_text(w, "old");
	rival_forces(w);
	uint64_t start_ms = w->world.monotonic_ms;
	assert_int_equal(MCP_VERDICT_FRESH, cache_ask(w, forcing()));
	assert_int_equal(WAIT_MS, w->world.monotonic_ms - start_ms);
	assert_string_equal("old", shown(w));
}

CACHE_TEST(with_serve_stale_nobody_waits, w) {
	mcp_remember remember = forcing();
	remember.serve_stale = true;
	put_text(w, "old");
	rival_forces(w);
	assert_int_equal(MCP_VERDICT_FRESH, cache_ask(w, remember));
	assert_int_equal(0, w->world.sleeps);
}

/* The wait remembers what its first look came upon: a value that has come since is not computed again. */
CACHE_TEST(an_interrupted_wait_goes_on_as_it_began, w) {
	mcp_remember remember = forcing();
	put_text(w, "old");
	rival_forces(w);
	remember.wait_ms = 0;
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_FRESH, w->entry.verdict);
	publish_rivals(w);
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_VERDICT_FRESH, w->entry.verdict);
	assert_string_equal("rival's", shown(w));
}

CACHE_TEST(a_failure_pause_holds_for_whoever_forces, w) {
	put_text(w, "old");
	rival_forces(w);
	mcp_cache_abandon(&w->rival, &w->key, &w->rival_claim, true);
	uint64_t pause_ms = stored_envelope(w).pause_end_ms - w->world.wall_ms;
	uint64_t start_ms = w->world.monotonic_ms;
	assert_int_equal(MCP_VERDICT_ELECTED, cache_ask(w, forcing()));
	assert_true(w->world.monotonic_ms - start_ms >= pause_ms);
}
