/* Holds the expiry numbers to what memcached does with them: a model of its clock says how long an
 * item lives, for every phase between its ticks and ours. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/store.h"

#define NOW_MS 1763688000250ull
#define DAY_MS (24ull * 60 * 60 * 1000)

/* Says how long memcached keeps an item that is stored at NOW_MS with this expiry number. Its clock shows whole
 * seconds that change when ours stands `tick_ms` after a full second: behind ours by up to a second, or with
 * ahead_s 1 ahead of it by the rest of that second. */
static uint64_t lifetime_ms(int64_t expiry, uint64_t tick_ms, int ahead_s) {
	uint64_t tick_s = (NOW_MS - tick_ms) / 1000;
	uint64_t shown_s = tick_s + (uint64_t)ahead_s;
	uint64_t end_s =
		expiry > MCP_EXPIRY_RELATIVE_MAX_S ? (uint64_t)expiry : shown_s + (uint64_t)expiry;
	uint64_t end_ms = (end_s - (uint64_t)ahead_s) * 1000 + tick_ms;
	return end_ms - NOW_MS;
}

static void assert_lives(uint64_t ttl_ms, uint64_t excess_ms) {
	int64_t expiry = mcp_expiry_from_ttl(ttl_ms, NOW_MS);
	for (uint64_t tick_ms = 0; tick_ms < 1000; tick_ms++) {
		for (int ahead_s = 0; ahead_s <= (tick_ms > 0); ahead_s++) {
			uint64_t lives_ms = lifetime_ms(expiry, tick_ms, ahead_s);
			assert_true(lives_ms >= ttl_ms);
			assert_true(lives_ms < ttl_ms + excess_ms);
		}
	}
}

TEST(zero_is_forever) {
	assert_int_equal(MCP_EXPIRY_NEVER, mcp_expiry_from_ttl(MCP_TTL_FOREVER, NOW_MS));
}

TEST(a_fraction_of_a_second_is_rounded_up_and_given_a_tick_more) {
	assert_int_equal(2, mcp_expiry_from_ttl(1, NOW_MS));
	assert_int_equal(2, mcp_expiry_from_ttl(999, NOW_MS));
	assert_int_equal(2, mcp_expiry_from_ttl(1000, NOW_MS));
	assert_int_equal(3, mcp_expiry_from_ttl(1001, NOW_MS));
	assert_int_equal(3601, mcp_expiry_from_ttl(3600 * 1000, NOW_MS));
}

TEST(thirty_days_less_a_second_is_the_last_relative_number) {
	assert_int_equal(2592000, mcp_expiry_from_ttl(30 * DAY_MS - 1000, NOW_MS));
	assert_true(mcp_expiry_from_ttl(30 * DAY_MS - 999, NOW_MS) > 1700000000);
}

TEST(from_thirty_days_on_the_number_is_absolute) {
	/* The wall clock stands a quarter past a second: rounded up, and a tick more. */
	assert_int_equal(1763688000 + 30 * 86400 + 2, mcp_expiry_from_ttl(30 * DAY_MS, NOW_MS));
	assert_int_equal(1763688000 + 31 * 86400 + 2, mcp_expiry_from_ttl(31 * DAY_MS, NOW_MS));
	assert_int_equal(1763688000 + 3650 * 86400 + 2, mcp_expiry_from_ttl(3650 * DAY_MS, NOW_MS));
}

TEST(an_absolute_number_is_never_taken_for_a_relative_one) {
	assert_true(mcp_expiry_from_ttl(30 * DAY_MS, 0) > MCP_EXPIRY_RELATIVE_MAX_S);
	assert_true(mcp_expiry_from_ttl(30 * DAY_MS - 999, 0) > MCP_EXPIRY_RELATIVE_MAX_S);
}

TEST(an_end_that_memcached_cannot_be_told_is_never) {
	uint64_t last_ms = 2147483646000ull - NOW_MS;
	assert_int_equal(2147483647, mcp_expiry_from_ttl(last_ms, NOW_MS));
	assert_int_equal(MCP_EXPIRY_NEVER, mcp_expiry_from_ttl(last_ms + 1, NOW_MS));
	assert_int_equal(MCP_EXPIRY_NEVER, mcp_expiry_from_ttl(UINT64_MAX, NOW_MS));
	assert_int_equal(MCP_EXPIRY_NEVER, mcp_expiry_from_ttl(UINT64_MAX - NOW_MS, NOW_MS));
}

TEST(a_relative_item_lives_its_ttl_and_less_than_two_seconds_more) {
	const uint64_t ttls_ms[] = {1, 500, 999, 1000, 1001, 1999, 2000, 60000, 30 * DAY_MS - 1000};
	for (size_t i = 0; i < sizeof(ttls_ms) / sizeof(*ttls_ms); i++) {
		assert_lives(ttls_ms[i], 2000);
	}
}

TEST(an_absolute_item_lives_its_ttl_and_less_than_three_seconds_more) {
	const uint64_t ttls_ms[] = {30 * DAY_MS - 999, 30 * DAY_MS, 30 * DAY_MS + 749,
		30 * DAY_MS + 751, 3650 * DAY_MS};
	for (size_t i = 0; i < sizeof(ttls_ms) / sizeof(*ttls_ms); i++) {
		assert_lives(ttls_ms[i], 3000);
	}
}
