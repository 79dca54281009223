/* Holds the running number to I1-I7: every schedule of one increment with a rival's step before each of
 * its calls, every answer or request lost, and evictions of either key. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/store/memory/store_memory.h"
#include "cache_world.h"

/* More calls than one increment makes with one rival's step in between. */
#define CALLS_MAX 12

static mcp_status increment(cache_world *w, int64_t by, int64_t *number) {
	return mcp_cache_increment(&w->cache, &w->key, by, number);
}

static int64_t number_shown(cache_world *w) {
	const char *digits = shown(w);
	assert_non_null(digits);
	return strtoll(digits, NULL, 10);
}

static void rival_increments(cache_world *w) {
	int64_t number;
	mcp_cache_increment(&w->rival, &w->key, 10, &number);
}

static void rival_sets_number(cache_world *w) {
	put_number(w, "1000");
}

static void rival_claims(cache_world *w) {
	rival_is_elected(w);
}

static void rival_touches(cache_world *w) {
	mcp_cache_touch(&w->rival, &w->key,
		(mcp_lifetime){.ttl_ms = 3 * TTL_MS, .grace_ms = 3 * TTL_MS});
}

static void evict_side_key(cache_world *w) {
	world_remove(&w->world, "k_increment");
}

/* Puts a number that has been counted on already, or not. */
static void prepare(cache_world *w, bool is_counting) {
	interleave(w, 0, NULL);
	rival_deletes(w);
	evict_side_key(w);
	put_number(w, "5");
	if (is_counting) {
		int64_t number;
		mcp_cache_increment(&w->rival, &w->key, 2, &number);
	} else {
		put_number(w, "7");
	}
}

CACHE_TEST(counting_on_costs_two_round_trips, w) {
	prepare(w, true);
	int64_t number;
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, increment(w, 1, &number));
	assert_int_equal(8, number);
	assert_int_equal(2, w->world.calls);
}

CACHE_TEST(two_increments_are_both_counted_in_every_schedule, w) {
	for (int is_counting = 0; is_counting <= 1; is_counting++) {
		for (unsigned at = 1; at <= CALLS_MAX; at++) {
			prepare(w, is_counting);
			interleave(w, at, rival_increments);
			int64_t number;
			assert_int_equal(MCP_OK, increment(w, 1, &number));
			bool has_come = w->world.calls >= at;
			assert_int_equal(has_come ? 18 : 8, number_shown(w));
			assert_true(number == 8 || number == 18);
		}
	}
}

CACHE_TEST(a_set_restarts_exactly_in_every_schedule, w) {
	for (int is_counting = 0; is_counting <= 1; is_counting++) {
		for (unsigned at = 1; at <= CALLS_MAX; at++) {
			prepare(w, is_counting);
			interleave(w, at, rival_sets_number);
			int64_t number;
			assert_int_equal(MCP_OK, increment(w, 1, &number));
			if (w->world.calls < at) {
				break;
			}
			/* Counted before the set and gone with it, or after it. */
			int64_t now = number_shown(w);
			assert_true((number == 8 && now == 1000) || (number == 1001 && now == 1001));
			assert_int_equal(MCP_OK, increment(w, 1, &number));
			assert_int_equal(now + 1, number);
		}
	}
}

CACHE_TEST(a_deleted_number_is_not_counted_on_in_any_schedule, w) {
	for (int is_counting = 0; is_counting <= 1; is_counting++) {
		for (unsigned at = 1; at <= CALLS_MAX; at++) {
			prepare(w, is_counting);
			interleave(w, at, rival_deletes);
			int64_t number;
			mcp_status status = increment(w, 1, &number);
			assert_true(status == MCP_NOT_FOUND || (status == MCP_OK && number == 8));
			if (w->world.calls < at) {
				break;
			}
			assert_null(shown(w));
			put_number(w, "3");
			assert_int_equal(3, number_shown(w));
			assert_int_equal(MCP_OK, increment(w, 1, &number));
			assert_int_equal(4, number);
		}
	}
}

CACHE_TEST(elections_and_touches_lose_nothing_in_any_schedule, w) {
	void (*const acts[])(cache_world *) = {rival_claims, rival_touches, rival_expires};
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
		for (int is_counting = 0; is_counting <= 1; is_counting++) {
			for (unsigned at = 1; at <= CALLS_MAX; at++) {
				prepare(w, is_counting);
				world_pass(&w->world, TTL_MS);
				interleave(w, at, acts[i]);
				int64_t number;
				assert_int_equal(MCP_OK, increment(w, 1, &number));
				assert_int_equal(8, number);
				assert_int_equal(8, number_shown(w));
			}
		}
	}
}

CACHE_TEST(an_evicted_side_key_falls_back_to_the_value_and_no_lower, w) {
	for (unsigned at = 1; at <= CALLS_MAX; at++) {
		prepare(w, true);
		interleave(w, at, evict_side_key);
		int64_t number;
		assert_int_equal(MCP_OK, increment(w, 1, &number));
		assert_true(number == 8 || number == 6);
		assert_true(number_shown(w) == number || w->world.calls >= at);
		assert_true(number_shown(w) >= 5);
	}
}

/* Whatever is lost: at most once, and what was answered is counted. */
CACHE_TEST(a_lost_message_counts_at_most_once, w) {
	static const world_fault faults[] = {WORLD_REPLY_LOST, WORLD_REQUEST_LOST, WORLD_DOWN,
		WORLD_DOWN_AFTER};
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		for (int is_counting = 0; is_counting <= 1; is_counting++) {
			for (unsigned at = 1; at <= 6; at++) {
				prepare(w, is_counting);
				disturb(w, at, faults[i]);
				int64_t number = 0;
				mcp_status status = increment(w, 1, &number);
				bool has_come = w->world.calls >= at;
				int64_t now = number_shown(w);
				assert_true(now == 7 || now == 8 || (!is_counting && now == 7));
				if (status == MCP_OK) {
					assert_int_equal(8, number);
					assert_int_equal(8, now);
				} else {
					assert_true(has_come && mcp_status_is_failure(status));
				}
				disturb(w, 0, WORLD_SOUND);
				assert_int_equal(MCP_OK, increment(w, 1, &number));
				assert_int_equal(now + 1, number);
			}
		}
	}
}

CACHE_TEST(an_absent_key_stays_absent, w) {
	int64_t number;
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_NOT_FOUND, increment(w, 1, &number));
	assert_int_equal(0, mcp_store_memory_count(w->world.memory));
	mcp_remember remember = {.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS}};
	mcp_cache_remember(&w->cache, &w->key, &remember, &w->entry);
	assert_int_equal(MCP_NOT_FOUND, increment(w, 1, &number));
	assert_int_equal(1, mcp_store_memory_count(w->world.memory));
}

CACHE_TEST(a_number_that_is_not_negative_stops_at_zero, w) {
	for (int is_counting = 0; is_counting <= 1; is_counting++) {
		prepare(w, is_counting);
		int64_t number;
		assert_int_equal(MCP_OK, increment(w, -100, &number));
		assert_int_equal(0, number);
		assert_int_equal(MCP_OK, increment(w, 12, &number));
		assert_int_equal(MCP_OK, increment(w, -3, &number));
		assert_int_equal(9, number);
		assert_int_equal(9, number_shown(w));
	}
}

CACHE_TEST(what_does_not_fit_changes_nothing, w) {
	int64_t number;
	put_number(w, "9223372036854775806");
	assert_int_equal(MCP_OK, increment(w, 1, &number));
	assert_int_equal(MCP_OUT_OF_RANGE, increment(w, 1, &number));
	assert_int_equal(MCP_OUT_OF_RANGE, increment(w, INT64_MAX, &number));
	assert_string_equal("9223372036854775807", shown(w));
	put_number(w, "-9223372036854775808");
	assert_int_equal(MCP_OUT_OF_RANGE, increment(w, -1, &number));
	assert_int_equal(MCP_OK, increment(w, INT64_MAX, &number));
	assert_int_equal(-1, number);
	put_text(w, "7");
	assert_int_equal(MCP_NOT_A_NUMBER, increment(w, 1, &number));
	assert_string_equal("7", shown(w));
}

CACHE_TEST(negative_numbers_lose_nothing_to_a_rival, w) {
	for (unsigned at = 1; at <= CALLS_MAX; at++) {
		put_number(w, "-50");
		interleave(w, at, rival_increments);
		int64_t number;
		assert_int_equal(MCP_OK, increment(w, 1, &number));
		assert_int_equal(w->world.calls >= at ? -39 : -49, number_shown(w));
	}
}
