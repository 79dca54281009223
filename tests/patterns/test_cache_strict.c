/* Holds a strict cache to C16: what is past its soft end is none for whoever wants the value, and is left
 * where it is; the story is told as ever. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

CACHE_TEST(an_old_value_is_a_miss_and_elects_nobody, w) {
	w->cache.is_strict = true;
	put_old(w, "old");
	world_watch(&w->world, 0, WORLD_SOUND);
	mcp_cache_get(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_false(w->entry.has_value);
	mcp_cache_peek(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_MISS, w->entry.verdict);
	assert_int_equal(2, w->world.calls);
	assert_int_equal(2, w->statistics.counts[MCP_COUNT_MISSES]);
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_STALE]);
	assert_string_equal("old", shown(w));
}

CACHE_TEST(a_fresh_value_is_served, w) {
	w->cache.is_strict = true;
	put_text(w, "new");
	mcp_cache_get(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_FRESH, w->entry.verdict);
	assert_true(w->entry.has_value);
	world_pass(&w->world, TTL_MS - 1);
	mcp_cache_peek(&w->cache, &w->key, &w->entry);
	assert_true(w->entry.has_value);
}

CACHE_TEST(the_story_is_told_as_ever, w) {
	w->cache.is_strict = true;
	put_old(w, "old");
	mcp_cache_read(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_STALE, w->entry.verdict);
	assert_true(w->entry.has_value);
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_VERDICT_ELECTED, w->entry.verdict);
}

CACHE_TEST(pull_leaves_an_old_value, w) {
	w->cache.is_strict = true;
	put_old(w, "old");
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_pull(&w->cache, &w->key, &w->entry));
	assert_string_equal("old", shown(w));
	put_text(w, "new");
	assert_int_equal(MCP_OK, mcp_cache_pull(&w->cache, &w->key, &w->entry));
	assert_null(shown(w));
}

CACHE_TEST(update_begins_from_nothing, w) {
	w->cache.is_strict = true;
	put_old(w, "old");
	mcp_cache_peek(&w->cache, &w->key, &w->entry);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	assert_false(seen.has_value);
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_OK, mcp_cache_update(&w->cache, &w->key, &seen, &value));
	assert_string_equal("new", shown(w));
}

CACHE_TEST(update_finds_what_another_has_stored_since, w) {
	w->cache.is_strict = true;
	put_old(w, "old");
	mcp_cache_peek(&w->cache, &w->key, &w->entry);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	rival_sets(w);
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_EXISTS, mcp_cache_update(&w->cache, &w->key, &seen, &value));
	assert_string_equal("rival's", shown(w));
}

CACHE_TEST(an_old_running_number_is_neither_shown_nor_frozen, w) {
	int64_t number;
	w->cache.is_strict = true;
	put_number(w, "5");
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->cache, &w->key, 1, &number));
	world_pass(&w->world, TTL_MS);
	mcp_cache_read_still(&w->cache, &w->key, &w->entry);
	assert_false(w->entry.has_value);
	assert_string_equal("6", world_peek(&w->world, "k_increment"));
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_increment(&w->cache, &w->key, 1, &number));
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->rival, &w->key, 1, &number));
	assert_int_equal(7, number);
}

/* More calls than a freeze and what is stored after it make. */
#define CALLS_MAX 6

static void the_soft_end_comes(cache_world *w) {
	world_pass(&w->world, TTL_MS);
}

/* Its number is frozen before it is taken or gets a longer life, which takes some round trips. */
CACHE_TEST(a_value_that_becomes_old_meanwhile_is_left, w) {
	int64_t number;
	w->cache.is_strict = true;
	for (unsigned at = 1; at <= 2 * CALLS_MAX; at++) {
		bool is_pull = at > CALLS_MAX;
		put_number(w, "5");
		assert_int_equal(MCP_OK, mcp_cache_increment(&w->rival, &w->key, 1, &number));
		uint64_t soft_ms = stored_envelope(w).soft_ms;
		mcp_lifetime longer = {.ttl_ms = 30 * TTL_MS, .keeps_grace = true};
		interleave(w, is_pull ? at - CALLS_MAX : at, the_soft_end_comes);
		mcp_status status = is_pull ? mcp_cache_pull(&w->cache, &w->key, &w->entry)
									: mcp_cache_touch(&w->cache, &w->key, longer);
		/* Not before the last call, by which it is changed. */
		bool is_in_time = w->world.calls <= w->act_at && status == MCP_OK;
		if (!is_in_time) {
			assert_int_equal(MCP_NOT_FOUND, status);
			assert_int_equal(soft_ms, stored_envelope(w).soft_ms);
		}
	}
}

CACHE_TEST(an_old_value_is_not_touched_and_not_replaced, w) {
	w->cache.is_strict = true;
	put_old(w, "old");
	mcp_cache_value value = text_value("new");
	uint64_t soft_ms = stored_envelope(w).soft_ms;
	assert_int_equal(MCP_NOT_FOUND, mcp_cache_touch(&w->cache, &w->key, value.lifetime));
	assert_int_equal(MCP_NOT_STORED, mcp_cache_replace(&w->cache, &w->key, &value));
	assert_int_equal(soft_ms, stored_envelope(w).soft_ms);
	assert_int_equal(MCP_OK, mcp_cache_add(&w->cache, &w->key, &value));
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->cache, &w->key, value.lifetime));
}
