/* Holds the election to C1 and C2: with another host stepping in before each call, with every call's
 * answer or request lost, on clocks that are moved rather than waited for. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "cache_world.h"

static mcp_verdict look(cache_world *w) {
	mcp_cache_lookup(&w->cache, &w->key, &w->entry);
	return w->entry.verdict;
}

CACHE_TEST(a_fresh_hit_costs_one_round_trip, w) {
	put_text(w, "value");
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_VERDICT_FRESH, look(w));
	assert_int_equal(1, w->world.calls);
}

CACHE_TEST(an_absent_key_elects_nobody_and_writes_nothing, w) {
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_VERDICT_MISS, look(w));
	assert_int_equal(1, w->world.calls);
	assert_null(world_peek(&w->world, "k"));
}

CACHE_TEST(one_of_two_is_elected_whoever_comes_first, w) {
	for (unsigned at = 1; at <= 2; at++) {
		put_old(w, "old");
		interleave(w, at, rival_is_elected);
		assert_int_equal(MCP_VERDICT_BUSY, look(w));
		assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
		assert_true(w->entry.has_value);
	}
	put_old(w, "old");
	interleave(w, 3, rival_is_elected);
	assert_int_equal(MCP_VERDICT_ELECTED, look(w));
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_BUSY, w->rival_entry.verdict);
}

CACHE_TEST(a_claim_whose_answer_was_lost_is_found_again, w) {
	put_old(w, "old");
	disturb(w, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_VERDICT_ELECTED, look(w));
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
	assert_string_equal("new", shown(w));
}

CACHE_TEST(a_claim_that_never_arrived_is_not_held, w) {
	put_old(w, "old");
	disturb(w, 2, WORLD_REQUEST_LOST);
	assert_int_not_equal(MCP_VERDICT_ELECTED, look(w));
	assert_string_equal("old", shown(w));
	rival_is_elected(w);
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
}

/* As behind a proxy, which does not know what is asked before a claim. Nobody else was faster, so it stands again. */
CACHE_TEST(a_claim_that_was_kept_back_is_made_again, w) {
	put_old(w, "old");
	disturb(w, 2, WORLD_KEPT_BACK);
	assert_int_equal(MCP_VERDICT_ELECTED, look(w));
	assert_int_equal(4, w->world.calls);
	mcp_cache_value value = text_value("new");
	assert_int_equal(MCP_OK, mcp_cache_publish(&w->cache, &w->key, &w->entry.claim, &value));
	assert_string_equal("new", shown(w));
	put_old(w, "old");
	disturb(w, 2, WORLD_KEPT_BACK);
	w->act = rival_is_elected;
	w->act_at = 3;
	assert_int_equal(MCP_VERDICT_BUSY, look(w));
	assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
}

CACHE_TEST(a_server_that_is_gone_is_a_miss, w) {
	put_old(w, "old");
	disturb(w, 1, WORLD_DOWN);
	assert_int_equal(MCP_VERDICT_MISS, look(w));
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_ERRORS]);
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_MISSES]);
}

/* Measures how long this host waits until it is elected, on a claim that another has just taken. */
static uint64_t wait_for_election(cache_world *w) {
	uint64_t start_ms = w->world.wall_ms;
	while (look(w) != MCP_VERDICT_ELECTED) {
		assert_true(w->world.wall_ms - start_ms < 100 * LEASE_MS);
		world_pass(&w->world, 1);
	}
	return w->world.wall_ms - start_ms;
}

CACHE_TEST(a_claim_lives_its_lease_to_the_millisecond, w) {
	put_old(w, "old");
	rival_is_elected(w);
	assert_int_equal(LEASE_MS, wait_for_election(w));
}

CACHE_TEST(a_lease_fits_the_compute_time_and_doubles_with_takeovers, w) {
	w->cache.lease_is_fitted = w->rival.lease_is_fitted = true;
	w->cache.lease_ms = w->rival.lease_ms = 20000;
	mcp_cache_value value = text_value("old");
	value.compute_ms = 500;
	value.lifetime.grace_ms = MCP_GRACE_FOREVER;
	mcp_cache_set(&w->rival, &w->key, &value);
	world_pass(&w->world, TTL_MS);
	rival_is_elected(w);
	static const uint64_t lives_ms[] = {1500, 3000, 6000, 12000, 20000, 20000};
	for (size_t i = 0; i < sizeof(lives_ms) / sizeof(lives_ms[0]); i++) {
		assert_int_equal(lives_ms[i], wait_for_election(w));
	}
}

CACHE_TEST(a_short_compute_time_still_has_a_second, w) {
	w->cache.lease_is_fitted = w->rival.lease_is_fitted = true;
	mcp_cache_value value = text_value("old");
	value.compute_ms = 1;
	mcp_cache_set(&w->rival, &w->key, &value);
	world_pass(&w->world, TTL_MS);
	rival_is_elected(w);
	assert_int_equal(1000, wait_for_election(w));
}

CACHE_TEST(a_claim_moves_neither_end, w) {
	put_old(w, "old");
	mcp_envelope before = stored_envelope(w);
	for (int i = 0; i < 5; i++) {
		wait_for_election(w);
		mcp_envelope after = stored_envelope(w);
		assert_int_equal(before.soft_ms, after.soft_ms);
		assert_int_equal(before.hard_ms, after.hard_ms);
		assert_int_equal(before.created_ms, after.created_ms);
		assert_int_equal(before.epoch, after.epoch);
		assert_int_equal(i + 1, after.newest_election);
	}
}

CACHE_TEST(many_are_judged_as_one_is, w) {
	put_number(w, "5");
	int64_t number;
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->rival, &w->key, 1, &number));
	mcp_key_buffer other_buffer;
	mcp_key keys[2] = {w->key, world_key(&other_buffer, MCP_SPACE_CACHE, "absent")};
	mcp_cache_entry entries[2];
	mcp_op replies[4];
	mcp_key scratch[4];
	mcp_key_buffer side_buffers[2];
	mcp_cache_batch batch = {keys, 2, entries, replies, scratch, side_buffers, NULL, NULL};
	world_watch(&w->world, 0, WORLD_SOUND);
	mcp_cache_read_many(&w->cache, &batch);
	assert_int_equal(2, w->world.calls);
	assert_int_equal(1, entries[0].payload.length);
	assert_int_equal('6', entries[0].payload.data[0]);
	assert_int_equal('5', entries[0].stored.data[0]);
	assert_int_equal(MCP_VERDICT_MISS, entries[1].verdict);
	assert_true(entries[1].is_absent);
}

static void put_two(cache_world *w, const mcp_key *keys, const char *text) {
	mcp_cache_value value = text_value(text);
	assert_int_equal(MCP_OK, mcp_cache_set(&w->rival, &keys[0], &value));
	assert_int_equal(MCP_OK, mcp_cache_set(&w->rival, &keys[1], &value));
}

/* The first election breaks the old connection, the second one would go over a new one with an old
 * cas id, which another item has by now. */
CACHE_TEST(of_many_none_is_elected_on_the_ids_of_before_a_restart, w) {
	mcp_key_buffer other_buffer;
	mcp_key keys[2] = {w->key, world_key(&other_buffer, MCP_SPACE_CACHE, "other")};
	mcp_cache_entry entries[2];
	mcp_op replies[4];
	mcp_key scratch[4];
	mcp_key_buffer side_buffers[2];
	mcp_cache_batch batch = {keys, 2, entries, replies, scratch, side_buffers, NULL, NULL};
	put_two(w, keys, "old");
	world_pass(&w->world, TTL_MS);
	mcp_cache_read_many(&w->cache, &batch);
	world_restart(&w->world);
	put_two(w, keys, "new");
	disturb(w, 1, WORLD_REQUEST_LOST);
	mcp_cache_elect_among(&w->cache, &batch, 0);
	mcp_cache_elect_among(&w->cache, &batch, 1);
	assert_int_equal(1, w->world.calls);
	assert_int_equal(MCP_VERDICT_BUSY, entries[0].verdict);
	assert_int_equal(MCP_VERDICT_BUSY, entries[1].verdict);
	mcp_cache_read(&w->cache, &keys[1], &w->entry);
	assert_int_equal(MCP_VERDICT_FRESH, w->entry.verdict);
}
