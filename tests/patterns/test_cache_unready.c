/* Holds the lookup of a caller that is not ready to compute: it is told its turn before anything is sent for it, and goes on from
 * there once it is ready. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

#define WAIT_MS 2500u

typedef struct asker {
	mcp_remember remember;
	mcp_pauses pauses;
} asker;

/* Asks, not ready. Says whether that is answered. */
static bool ask_unready(cache_world *w, asker *asking, mcp_remember remember) {
	asking->remember = remember;
	asking->pauses = (mcp_pauses){.has_begun = false};
	asking->remember.pauses = &asking->pauses;
	asking->remember.is_unready = true;
	return mcp_cache_remember(&w->cache, &w->key, &asking->remember, &w->entry);
}

/* Goes on with what was found. */
static mcp_verdict go_on(cache_world *w, asker *asking) {
	asking->remember.is_unready = false;
	asking->remember.has_found = true;
	assert_true(mcp_cache_remember(&w->cache, &w->key, &asking->remember, &w->entry));
	return w->entry.verdict;
}

static void assert_nobody_waits(cache_world *w) {
	mcp_remember remember = cache_asking(0);
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	assert_false(w->rival_entry.claim.is_overdue);
}

CACHE_TEST(nothing_is_sent_for_a_cold_turn, w) {
	asker asking;
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_false(ask_unready(w, &asking, cache_asking(WAIT_MS)));
	assert_int_equal(1, w->world.calls);
	assert_null(world_peek(&w->world, "k"));
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_ELECTIONS]);
	assert_nobody_waits(w);
}

CACHE_TEST(nothing_is_sent_for_a_turn_over_an_old_value, w) {
	asker asking;
	put_old(w, "old");
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_false(ask_unready(w, &asking, cache_asking(WAIT_MS)));
	assert_int_equal(1, w->world.calls);
	assert_false(stored_envelope(w).has_claim);
	assert_nobody_waits(w);
}

CACHE_TEST(a_turn_is_taken_with_no_further_look, w) {
	asker asking;
	for (int has_old = 0; has_old <= 1; has_old++) {
		if (has_old) {
			put_old(w, "old");
		}
		world_watch(&w->world, 0, WORLD_SOUND);
		assert_false(ask_unready(w, &asking, cache_asking(WAIT_MS)));
		assert_int_equal(MCP_VERDICT_ELECTED, go_on(w, &asking));
		assert_int_equal(2, w->world.calls);
		assert_int_equal(has_old, w->entry.has_value);
		assert_true(stored_envelope(w).has_claim);
	}
	assert_int_equal(2, w->statistics.counts[MCP_COUNT_ELECTIONS]);
}

/* Found before another caller's claim, it loses by its cas id. */
CACHE_TEST(a_turn_that_somebody_else_took_meanwhile_is_lost, w) {
	asker asking;
	put_old(w, "old");
	assert_false(ask_unready(w, &asking, cache_asking(WAIT_MS)));
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_BUSY, go_on(w, &asking));
}

CACHE_TEST(whoever_is_not_elected_needs_not_be_ready, w) {
	asker asking;
	put_text(w, "fresh");
	assert_true(ask_unready(w, &asking, cache_asking(WAIT_MS)));
	assert_int_equal(MCP_VERDICT_FRESH, w->entry.verdict);
	put_old(w, "old");
	rival_is_elected(w);
	assert_true(ask_unready(w, &asking, cache_asking(WAIT_MS)));
	assert_int_equal(MCP_VERDICT_BUSY, w->entry.verdict);
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_true(ask_unready(w, &asking, cache_asking(WAIT_MS)));
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
}

static void publish_after_two_pauses(test_world *world, unsigned sleeps) {
	cache_world *w = world->actor;
	if (sleeps == 2) {
		mcp_cache_value value = text_value("rival's");
		mcp_cache_publish(&w->rival, &w->key, &w->rival_entry.claim, &value);
	}
}

CACHE_TEST(a_wait_is_one_over_both_calls, w) {
	asker asking;
	mcp_remember remember = cache_asking(WAIT_MS);
	mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
	uint64_t start_ms = w->world.monotonic_ms;
	assert_false(ask_unready(w, &asking, remember));
	assert_int_equal(WAIT_MS, w->world.monotonic_ms - start_ms);
	assert_int_equal(MCP_VERDICT_ELECTED, go_on(w, &asking));
	assert_int_equal(WAIT_MS, w->world.monotonic_ms - start_ms);
	assert_true(w->entry.claim.is_overdue);
	w->world.after_sleep = publish_after_two_pauses;
	w->world.sleeps = 0;
	assert_true(ask_unready(w, &asking, remember));
	assert_int_equal(MCP_VERDICT_FRESH, w->entry.verdict);
}

/* Asks as one that is not ready: drawn once, it takes its turn however often it is asked again. */
static bool is_elected_when_ready(cache_world *w, mcp_remember remember) {
	asker asking;
	if (ask_unready(w, &asking, remember)) {
		return false;
	}
	asking.remember.drawn = mcp_cache_value_id_of(&w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, go_on(w, &asking));
	return true;
}

CACHE_TEST(an_early_turn_is_drawn_once, w) {
	assert_early_follows_xfetch(w, cache_asking(WAIT_MS), is_elected_when_ready);
}

CACHE_TEST(what_is_forced_is_forced_over_what_was_found, w) {
	asker asking;
	mcp_value_id outdated = {.is_set = false};
	mcp_remember remember = cache_asking(WAIT_MS);
	remember.outdated = &outdated;
	put_text(w, "fresh");
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_false(ask_unready(w, &asking, remember));
	assert_int_equal(MCP_VERDICT_ELECTED, go_on(w, &asking));
	assert_int_equal(2, w->world.calls);
}

CACHE_TEST(a_fresh_look_answers_what_is_fresh_alone, w) {
	asker asking = {.remember = cache_asking(WAIT_MS)};
	asking.remember.pauses = &asking.pauses;
	put_text(w, "fresh");
	assert_true(mcp_cache_remember_fresh(&w->cache, &w->key, &w->entry));
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_HITS]);
	put_old(w, "old");
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_false(mcp_cache_remember_fresh(&w->cache, &w->key, &w->entry));
	assert_int_equal(MCP_VERDICT_ELECTED, go_on(w, &asking));
	assert_int_equal(2, w->world.calls);
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_HITS]);
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_false(mcp_cache_remember_fresh(&w->cache, &w->key, &w->entry));
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_ERRORS]);
	assert_int_equal(MCP_VERDICT_MISS, go_on(w, &asking));
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_ERRORS]);
	assert_int_equal(1, w->world.calls);
}
