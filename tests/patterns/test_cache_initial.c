/* Holds an increment with an initial number to I8: one caller stores it where no value is, the others count on
 * it, and what becomes of a lost answer is read back or said to be unknown. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <cmocka.h>

#include "cache_world.h"

#define CALLS_MAX 6

static const mcp_cache_initial INITIAL = {
	.number = 100,
	.lifetime = {.ttl_ms = 3 * TTL_MS, .grace_ms = TTL_MS},
};

static mcp_status increment(cache_world *w, int64_t by, int64_t *number) {
	return mcp_cache_increment_from(&w->cache, &w->key, by, &INITIAL, number);
}

static int64_t number_shown(cache_world *w) {
	const char *digits = shown(w);
	return digits != NULL ? strtoll(digits, NULL, 10) : -1;
}

static void rival_increments(cache_world *w) {
	int64_t number;
	mcp_cache_increment_from(&w->rival, &w->key, 10, &INITIAL, &number);
}

static void rival_counts_down_what_is_there(cache_world *w) {
	int64_t number;
	mcp_cache_increment(&w->rival, &w->key, -1, &number);
}

/* Absent; a placeholder whose claim lives; a value that has ended; another epoch's side key. */
enum { NOTHINGS = 4 };
static void prepare_nothing(cache_world *w, int which) {
	interleave(w, 0, NULL);
	rival_deletes(w);
	world_remove(&w->world, "k_increment");
	int64_t number;
	mcp_remember remember = {.lifetime = INITIAL.lifetime, .serve_stale = true};
	if (which == 1) {
		mcp_cache_remember(&w->rival, &w->key, &remember, &w->rival_entry);
		assert_int_equal(MCP_VERDICT_ELECTED, w->rival_entry.verdict);
	} else if (which == 2) {
		put_number(w, "5");
		world_pass(&w->world, stored_envelope(w).hard_ms - w->world.wall_ms);
	} else if (which == 3) {
		put_number(w, "5");
		mcp_cache_increment(&w->rival, &w->key, 1, &number);
		rival_deletes(w);
	}
}

CACHE_TEST(where_nothing_is_it_begins_in_two_round_trips, w) {
	for (int which = 0; which < NOTHINGS; which++) {
		prepare_nothing(w, which);
		world_watch(&w->world, 0, WORLD_SOUND);
		int64_t number;
		assert_int_equal(MCP_OK, increment(w, 7, &number));
		assert_int_equal(107, number);
		assert_int_equal(2, w->world.calls);
		assert_int_equal(107, number_shown(w));
		mcp_envelope envelope = stored_envelope(w);
		assert_int_equal(w->world.wall_ms + 3 * TTL_MS, envelope.soft_ms);
		assert_int_equal(MCP_OK, increment(w, 1, &number));
		assert_int_equal(108, number);
	}
}

CACHE_TEST(two_that_begin_are_both_counted_in_every_schedule, w) {
	for (int which = 0; which < NOTHINGS; which++) {
		for (unsigned at = 1; at <= CALLS_MAX; at++) {
			prepare_nothing(w, which);
			interleave(w, at, rival_increments);
			int64_t number;
			assert_int_equal(MCP_OK, increment(w, 1, &number));
			bool has_come = w->world.calls >= at;
			assert_int_equal(has_come ? 111 : 101, number_shown(w));
			assert_true(number == 101 || number == 111);
		}
	}
}

CACHE_TEST(a_value_that_is_there_keeps_its_number_and_its_life, w) {
	put_number(w, "5");
	uint64_t soft_ms = stored_envelope(w).soft_ms;
	world_pass(&w->world, TTL_MS + 1);
	int64_t number;
	assert_int_equal(MCP_OK, increment(w, 1, &number));
	assert_int_equal(6, number);
	assert_int_equal(soft_ms, stored_envelope(w).soft_ms);
}

CACHE_TEST(what_was_being_computed_is_not_stored_over_it, w) {
	prepare_nothing(w, 1);
	int64_t number;
	assert_int_equal(MCP_OK, increment(w, 1, &number));
	mcp_cache_value value = text_value("computed");
	assert_int_equal(MCP_NOT_STORED,
		mcp_cache_publish(&w->rival, &w->key, &w->rival_entry.claim, &value));
	assert_int_equal(101, number_shown(w));
}

CACHE_TEST(a_lost_answer_is_read_back, w) {
	for (int which = 0; which < NOTHINGS; which++) {
		prepare_nothing(w, which);
		disturb(w, 2, WORLD_REPLY_LOST);
		int64_t number;
		assert_int_equal(MCP_OK, increment(w, 1, &number));
		assert_int_equal(101, number);
		assert_int_equal(101, number_shown(w));
	}
}

CACHE_TEST(a_lost_request_is_unknown_and_not_sent_again, w) {
	for (int which = 0; which < NOTHINGS; which++) {
		prepare_nothing(w, which);
		disturb(w, 2, WORLD_REQUEST_LOST);
		int64_t number;
		assert_int_equal(MCP_UNKNOWN, increment(w, 1, &number));
		assert_int_equal(3, w->world.calls);
		assert_int_equal(-1, number_shown(w));
	}
}

CACHE_TEST(a_sum_that_does_not_fit_changes_nothing, w) {
	int64_t number;
	mcp_cache_initial initial = {.number = INT64_MAX - 1, .lifetime = INITIAL.lifetime};
	assert_int_equal(MCP_OUT_OF_RANGE,
		mcp_cache_increment_from(&w->cache, &w->key, 2, &initial, &number));
	assert_null(world_peek(&w->world, "k"));
	initial.number = INT64_MIN + 1;
	assert_int_equal(MCP_OUT_OF_RANGE,
		mcp_cache_increment_from(&w->cache, &w->key, -2, &initial, &number));
	assert_null(world_peek(&w->world, "k"));
	assert_int_equal(MCP_OK, increment(w, 0, &number));
	assert_int_equal(100, number);
}

CACHE_TEST(what_is_not_negative_stops_at_0, w) {
	int64_t number;
	assert_int_equal(MCP_OK, increment(w, -101, &number));
	assert_int_equal(0, number);
	rival_counts_down_what_is_there(w);
	assert_int_equal(0, number_shown(w));
}
