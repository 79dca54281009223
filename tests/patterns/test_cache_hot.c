/* Holds what freezes a running number to I1 and I4 while others count on it between any two calls: it comes
 * through, takes the number that nobody counted on after, and says so when it gives up. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <cmocka.h>

#include "cache_world.h"

/* The number that the rivals have counted up to. */
static uint64_t counted;

/* Counts as many others would: before every call of this host one of them comes first, while memcached lets it. */
static void count_before_every_call(test_world *world, unsigned call) {
	cache_world *w = world->actor;
	mcp_key_buffer buffer;
	mcp_key side = mcp_key_side(&buffer, &w->key);
	uint64_t number;
	if (mcp_store_increment(world->memory, &side, 1, &number) == MCP_OK) {
		counted = number;
	}
}

static void heat(cache_world *w) {
	int64_t number;
	put_number(w, "1000");
	mcp_cache_increment(&w->rival, &w->key, 1, &number);
	counted = (uint64_t)number;
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = count_before_every_call;
}

static void assert_shown_as_counted(cache_world *w) {
	char digits[24];
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)counted);
	assert_string_equal(digits, shown(w));
}

CACHE_TEST(pulling_takes_all_that_was_counted, w) {
	heat(w);
	assert_int_equal(MCP_OK, mcp_cache_pull(&w->cache, &w->key, &w->entry));
	char digits[24];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)counted);
	assert_true(counted > 1001);
	assert_true(mcp_bytes_equal(mcp_bytes_of(digits, length), w->entry.payload));
	assert_null(shown(w));
}

CACHE_TEST(a_longer_life_keeps_all_that_was_counted, w) {
	heat(w);
	mcp_lifetime longer = {.ttl_ms = 30 * TTL_MS, .keeps_grace = true};
	assert_int_equal(MCP_OK, mcp_cache_touch(&w->cache, &w->key, longer));
	assert_false(stored_envelope(w).has_counter);
	assert_shown_as_counted(w);
	assert_int_equal(w->world.wall_ms + 30 * TTL_MS, stored_envelope(w).soft_ms);
}

CACHE_TEST(an_update_that_reads_it_still_is_stored, w) {
	heat(w);
	mcp_cache_value value = number_value("5");
	mcp_cache_read(&w->cache, &w->key, &w->entry);
	mcp_cache_seen seen = mcp_cache_see(&w->entry);
	assert_int_equal(MCP_EXISTS, mcp_cache_update(&w->cache, &w->key, &seen, &value));
	mcp_cache_read_still(&w->cache, &w->key, &w->entry);
	seen = mcp_cache_see(&w->entry);
	assert_int_equal(counted, seen.integer);
	assert_int_equal(MCP_OK, mcp_cache_update(&w->cache, &w->key, &seen, &value));
	assert_string_equal("5", shown(w));
}

CACHE_TEST(several_marks_are_one, w) {
	heat(w);
	mcp_key_buffer buffer;
	mcp_key side = mcp_key_side(&buffer, &w->key);
	for (int i = 0; i < 3; i++) {
		mcp_store_prepend(w->world.memory, &side, mcp_bytes_of("=", 1));
		assert_shown_as_counted(w);
	}
	int64_t number;
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->rival, &w->key, 1, &number));
	assert_int_equal(counted + 1, number);
}

/* Frozen by somebody who died, or in vain: the next one who counts goes on after some pauses. */
CACHE_TEST(a_frozen_number_goes_on_after_some_pauses, w) {
	heat(w);
	mcp_cache_read_still(&w->cache, &w->key, &w->entry);
	assert_int_equal(MCP_RUNNING_FROZEN, w->entry.running);
	unsigned pauses = w->world.sleeps;
	int64_t number;
	assert_int_equal(MCP_OK, mcp_cache_increment(&w->rival, &w->key, 1, &number));
	assert_int_equal(counted + 1, number);
	assert_in_range(w->world.sleeps - pauses, 3, 5);
}

CACHE_TEST(a_mark_without_an_answer_is_looked_after, w) {
	const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST};
	for (int i = 0; i < 2; i++) {
		heat(w);
		/* Its look, its mark. */
		w->world.fault_at = 2;
		w->world.fault = faults[i];
		assert_int_equal(MCP_OK, mcp_cache_pull(&w->cache, &w->key, &w->entry));
		assert_null(shown(w));
	}
}

/* More calls than a freeze, what is stored after it, and a second try make. */
#define CALLS_MAX 12

static void rival_counts_once(cache_world *w) {
	int64_t number;
	if (mcp_cache_increment(&w->rival, &w->key, 1, &number) == MCP_OK) {
		counted = (uint64_t)number;
	}
}

/* Heats it, and has a rival count in the middle of the n-th call. */
static void heat_torn(cache_world *w, unsigned at) {
	heat(w);
	w->world.before_call = NULL;
	tear(w, at, rival_counts_once);
}

/* Whatever cas id the number is read with. */
CACHE_TEST(a_longer_life_tells_no_number_twice, w) {
	mcp_lifetime longer = {.ttl_ms = 30 * TTL_MS, .keeps_grace = true};
	for (unsigned at = 1; at <= CALLS_MAX; at++) {
		heat_torn(w, at);
		assert_int_equal(MCP_OK, mcp_cache_touch(&w->cache, &w->key, longer));
		assert_shown_as_counted(w);
	}
}

CACHE_TEST(pulling_takes_what_was_counted_while_it_looked, w) {
	for (unsigned at = 1; at <= CALLS_MAX; at++) {
		heat_torn(w, at);
		assert_int_equal(MCP_OK, mcp_cache_pull(&w->cache, &w->key, &w->entry));
		assert_int_equal(counted, mcp_cache_see(&w->entry).integer);
	}
}

CACHE_TEST(an_update_is_not_stored_over_what_was_counted_while_it_looked, w) {
	mcp_cache_value value = number_value("5");
	for (unsigned at = 1; at <= CALLS_MAX; at++) {
		heat_torn(w, at);
		mcp_cache_read_still(&w->cache, &w->key, &w->entry);
		mcp_cache_seen seen = mcp_cache_see(&w->entry);
		mcp_status status = mcp_cache_update(&w->cache, &w->key, &seen, &value);
		assert_int_equal(status == MCP_OK, seen.integer == (int64_t)counted);
	}
}

/* Makes increments that do not wait for whoever froze it. */
static void thaw_before_every_call(test_world *world, unsigned call) {
	cache_world *w = world->actor;
	int64_t number;
	mcp_cache_increment(&w->rival, &w->key, 1, &number);
}

CACHE_TEST(what_gives_up_is_told_and_counted, w) {
	heat(w);
	w->world.before_call = thaw_before_every_call;
	assert_int_equal(MCP_EXISTS, mcp_cache_pull(&w->cache, &w->key, &w->entry));
	assert_int_equal(1, w->statistics.counts[MCP_COUNT_GAVE_UP]);
	assert_int_equal(0, w->statistics.counts[MCP_COUNT_ERRORS]);
	mcp_lifetime longer = {.ttl_ms = 30 * TTL_MS, .keeps_grace = true};
	assert_int_equal(MCP_EXISTS, mcp_cache_touch(&w->cache, &w->key, longer));
	assert_int_equal(2, w->statistics.counts[MCP_COUNT_GAVE_UP]);
}
