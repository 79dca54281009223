/* Holds the meaning of an envelope to its times, millisecond by millisecond: fresh, stale, cold, who
 * may be elected, and how often an early refresh happens. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <cmocka.h>

#include "../../src/core/envelope/envelope.h"
#define SOFT_MS 1700000060000ull
#define HARD_MS 1700000120000ull

static mcp_envelope sample(void) {
	return (mcp_envelope){.soft_ms = SOFT_MS, .hard_ms = HARD_MS, .has_value = true};
}

TEST(a_value_is_fresh_before_its_soft_end_and_stale_from_it_on) {
	mcp_envelope envelope = sample();
	assert_int_equal(MCP_FRESH, mcp_freshness_at(&envelope, 0));
	assert_int_equal(MCP_FRESH, mcp_freshness_at(&envelope, SOFT_MS - 1));
	assert_int_equal(MCP_STALE, mcp_freshness_at(&envelope, SOFT_MS));
	assert_int_equal(MCP_STALE, mcp_freshness_at(&envelope, HARD_MS - 1));
}

TEST(nothing_is_served_from_the_hard_end_on) {
	mcp_envelope envelope = sample();
	assert_int_equal(MCP_COLD, mcp_freshness_at(&envelope, HARD_MS));
	assert_int_equal(MCP_COLD, mcp_freshness_at(&envelope, UINT64_MAX));
	envelope.soft_ms = MCP_NEVER_MS;
	assert_int_equal(MCP_COLD, mcp_freshness_at(&envelope, HARD_MS));
}

TEST(without_grace_a_value_is_never_stale) {
	mcp_envelope envelope = sample();
	envelope.hard_ms = SOFT_MS;
	assert_int_equal(MCP_FRESH, mcp_freshness_at(&envelope, SOFT_MS - 1));
	assert_int_equal(MCP_COLD, mcp_freshness_at(&envelope, SOFT_MS));
}

TEST(never_is_not_reached_by_any_clock) {
	mcp_envelope envelope = sample();
	envelope.hard_ms = MCP_NEVER_MS;
	assert_int_equal(MCP_STALE, mcp_freshness_at(&envelope, UINT64_MAX));
	envelope.soft_ms = MCP_NEVER_MS;
	assert_int_equal(MCP_FRESH, mcp_freshness_at(&envelope, MCP_NEVER_MS));
	assert_int_equal(MCP_FRESH, mcp_freshness_at(&envelope, UINT64_MAX));
}

TEST(a_placeholder_and_a_tombstone_are_cold) {
	mcp_envelope envelope = sample();
	envelope.has_value = false;
	assert_int_equal(MCP_COLD, mcp_freshness_at(&envelope, 0));
	envelope.is_tombstone = true;
	assert_int_equal(MCP_COLD, mcp_freshness_at(&envelope, 0));
	envelope.has_value = true;
	assert_int_equal(MCP_COLD, mcp_freshness_at(&envelope, 0));
}

TEST(without_claim_and_failure_an_election_is_free) {
	mcp_envelope envelope = sample();
	assert_int_equal(MCP_OPENING_FREE, mcp_opening_at(&envelope, 0, 500));
	assert_true(mcp_opening_is_open(MCP_OPENING_FREE));
}

TEST(a_claim_holds_until_its_end_and_is_then_taken_over) {
	mcp_envelope envelope = sample();
	envelope.has_claim = true;
	envelope.claim_end_ms = SOFT_MS + 500;
	envelope.claim_lease_ms = 500;
	assert_int_equal(MCP_OPENING_CLAIMED, mcp_opening_at(&envelope, SOFT_MS + 499, 500));
	assert_int_equal(MCP_OPENING_EXPIRED, mcp_opening_at(&envelope, SOFT_MS + 500, 500));
	assert_false(mcp_opening_is_open(MCP_OPENING_CLAIMED));
	assert_true(mcp_opening_is_open(MCP_OPENING_EXPIRED));
}

TEST(a_claim_of_a_clock_too_far_ahead_is_not_believed) {
	mcp_envelope envelope = sample();
	envelope.has_claim = true;
	envelope.claim_lease_ms = 500;
	envelope.claim_end_ms = SOFT_MS + 1000;
	assert_int_equal(MCP_OPENING_CLAIMED, mcp_opening_at(&envelope, SOFT_MS, 500));
	envelope.claim_end_ms = SOFT_MS + 1001;
	assert_int_equal(MCP_OPENING_EXPIRED, mcp_opening_at(&envelope, SOFT_MS, 500));
	envelope.claim_end_ms = MCP_NEVER_MS;
	envelope.claim_lease_ms = UINT32_MAX;
	assert_int_equal(MCP_OPENING_EXPIRED, mcp_opening_at(&envelope, SOFT_MS, 500));
}

TEST(a_pause_holds_elections_off_until_its_end) {
	mcp_envelope envelope = sample();
	envelope.has_failure = true;
	envelope.failures = 1;
	envelope.pause_end_ms = SOFT_MS + 100;
	assert_int_equal(MCP_OPENING_PAUSED, mcp_opening_at(&envelope, SOFT_MS + 99, 500));
	assert_int_equal(MCP_OPENING_FREE, mcp_opening_at(&envelope, SOFT_MS + 100, 500));
	assert_false(mcp_opening_is_open(MCP_OPENING_PAUSED));
}

/* Written by a clock far ahead: after one failure it is 150 ms at most. */
TEST(a_pause_longer_than_clocks_may_differ_is_over) {
	mcp_envelope envelope = sample();
	envelope.has_failure = true;
	envelope.failures = 1;
	envelope.pause_end_ms = SOFT_MS + 650;
	assert_int_equal(MCP_OPENING_PAUSED, mcp_opening_at(&envelope, SOFT_MS, 500));
	envelope.pause_end_ms = SOFT_MS + 651;
	assert_int_equal(MCP_OPENING_FREE, mcp_opening_at(&envelope, SOFT_MS, 500));
	envelope.failures = UINT16_MAX;
	assert_int_equal(MCP_OPENING_PAUSED, mcp_opening_at(&envelope, SOFT_MS, 500));
}

TEST(a_mark_lives_for_a_lease_and_no_longer_than_clocks_may_differ) {
	mcp_envelope envelope = sample();
	envelope.has_failure = true;
	envelope.pause_end_ms = SOFT_MS + 500;
	assert_true(mcp_envelope_is_uncacheable(&envelope));
	assert_int_equal(MCP_OPENING_UNCACHEABLE, mcp_opening_at(&envelope, SOFT_MS, 500));
	assert_int_equal(MCP_OPENING_UNCACHEABLE, mcp_opening_at(&envelope, SOFT_MS + 499, 500));
	assert_int_equal(MCP_OPENING_FREE, mcp_opening_at(&envelope, SOFT_MS + 500, 500));
	assert_false(mcp_opening_is_open(MCP_OPENING_UNCACHEABLE));
	envelope.pause_end_ms = SOFT_MS + 1000;
	assert_int_equal(MCP_OPENING_UNCACHEABLE, mcp_opening_at(&envelope, SOFT_MS, 500));
	envelope.pause_end_ms = SOFT_MS + 1001;
	assert_int_equal(MCP_OPENING_FREE, mcp_opening_at(&envelope, SOFT_MS, 500));
}

TEST(a_live_claim_counts_before_a_pause_and_a_pause_before_a_dead_claim) {
	mcp_envelope envelope = sample();
	envelope.has_claim = envelope.has_failure = true;
	envelope.claim_end_ms = 1000;
	envelope.claim_lease_ms = 1000;
	envelope.failures = 5;
	envelope.pause_end_ms = 2000;
	assert_int_equal(MCP_OPENING_CLAIMED, mcp_opening_at(&envelope, 999, 500));
	assert_int_equal(MCP_OPENING_PAUSED, mcp_opening_at(&envelope, 1000, 500));
	assert_int_equal(MCP_OPENING_PAUSED, mcp_opening_at(&envelope, 1999, 500));
	assert_int_equal(MCP_OPENING_EXPIRED, mcp_opening_at(&envelope, 2000, 500));
}

TEST(early_is_never_without_beta_or_a_measured_time) {
	mcp_envelope envelope = sample();
	envelope.compute_ms = 1000;
	assert_true(mcp_freshness_is_early(&envelope, SOFT_MS - 1, 1.0, 0));
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS - 1, 0.0, 0));
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS - 1, -1.0, 0));
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS - 1, (double)NAN, 0));
	envelope.compute_ms = 0;
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS - 1, 1.0, 0));
}

TEST(early_is_never_for_what_is_not_fresh_or_never_ends) {
	mcp_envelope envelope = sample();
	envelope.compute_ms = 1000;
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS, 1.0, 0));
	assert_false(mcp_freshness_is_early(&envelope, HARD_MS, 1.0, 0));
	envelope.soft_ms = envelope.hard_ms = MCP_NEVER_MS;
	assert_false(mcp_freshness_is_early(&envelope, MCP_NEVER_MS - 1, 1.0, 0));
	envelope = sample();
	envelope.compute_ms = 1000;
	envelope.has_value = false;
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS - 1, 1.0, 0));
}

TEST(early_reaches_as_far_as_the_smallest_random_number_allows) {
	/* The smallest number is 2^-53, and -ln(2^-53) is 36.7368: times 1000 ms and beta 2. */
	mcp_envelope envelope = sample();
	envelope.compute_ms = 1000;
	assert_true(mcp_freshness_is_early(&envelope, SOFT_MS - 73473, 2.0, 0));
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS - 73474, 2.0, 0));
	/* The largest one is 1, and its logarithm 0: not even the last millisecond is early. */
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS - 1, 2.0, UINT64_MAX));
	assert_false(mcp_freshness_is_early(&envelope, SOFT_MS - 1, INFINITY, UINT64_MAX));
	assert_true(mcp_freshness_is_early(&envelope, 0, INFINITY, 0));
}

TEST(early_happens_as_often_as_the_exponential_says) {
	/* P(now - delta * beta * ln(u) >= soft) = exp(-left / (delta * beta)); u from an even grid. */
	mcp_envelope envelope = sample();
	envelope.compute_ms = 200;
	const int draws = 10000;
	for (uint64_t left_ms = 50; left_ms <= 800; left_ms *= 2) {
		int early = 0;
		for (int i = 0; i < draws; i++) {
			uint64_t random = UINT64_MAX / (uint64_t)draws * (uint64_t)i;
			early += mcp_freshness_is_early(&envelope, SOFT_MS - left_ms, 1.5, random);
		}
		double expected = exp(-(double)left_ms / 300.0) * draws;
		assert_true(fabs(early - expected) <= 2.0);
	}
}
