/* Holds the circuit breaker to its three states: closed at first, open for the pause and not a
 * millisecond longer, closed at once by a success. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/server/exchange.h"

TEST(a_new_breaker_allows_even_at_time_zero) {
	mcp_breaker breaker = {0};
	assert_true(mcp_breaker_allows(&breaker, 0));
	assert_true(mcp_breaker_allows(&breaker, UINT64_MAX));
}

TEST(a_tripped_breaker_refuses_until_the_pause_is_over) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, 250);
	assert_false(mcp_breaker_allows(&breaker, 1000));
	assert_false(mcp_breaker_allows(&breaker, 1249));
	assert_true(mcp_breaker_allows(&breaker, 1250));
}

TEST(a_second_failure_counts_from_its_own_time) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, 250);
	mcp_breaker_trip(&breaker, 1250, 250);
	assert_false(mcp_breaker_allows(&breaker, 1499));
	assert_true(mcp_breaker_allows(&breaker, 1500));
}

TEST(a_success_closes_it_at_once) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, UINT32_MAX);
	assert_false(mcp_breaker_allows(&breaker, 1001));
	mcp_breaker_close(&breaker);
	assert_true(mcp_breaker_allows(&breaker, 1001));
}

TEST(who_insists_is_let_through_once_for_each_reason_in_an_outage) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, 250);
	mcp_breaker_insist(&breaker, 1);
	assert_true(mcp_breaker_allows(&breaker, 1000));
	mcp_breaker_trip(&breaker, 1000, 250);
	mcp_breaker_insist(&breaker, 1);
	assert_false(mcp_breaker_allows(&breaker, 1001));
	mcp_breaker_insist(&breaker, 2);
	assert_true(mcp_breaker_allows(&breaker, 1001));
	mcp_breaker_close(&breaker);
	mcp_breaker_trip(&breaker, 2000, 250);
	mcp_breaker_insist(&breaker, 1);
	assert_true(mcp_breaker_allows(&breaker, 2001));
}

TEST(a_pause_of_nothing_refuses_nothing) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, 0);
	assert_true(mcp_breaker_allows(&breaker, 1000));
}
