/* Holds the circuit breaker to its three states: closed at first, open for the pause and not a
 * millisecond longer, closed at once by a success. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/server/exchange.h"

static void a_new_breaker_allows_even_at_time_zero(void **state) {
	mcp_breaker breaker = {0};
	assert_true(mcp_breaker_allows(&breaker, 0));
	assert_true(mcp_breaker_allows(&breaker, UINT64_MAX));
}

static void a_tripped_breaker_refuses_until_the_pause_is_over(void **state) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, 250);
	assert_false(mcp_breaker_allows(&breaker, 1000));
	assert_false(mcp_breaker_allows(&breaker, 1249));
	assert_true(mcp_breaker_allows(&breaker, 1250));
}

static void a_second_failure_counts_from_its_own_time(void **state) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, 250);
	mcp_breaker_trip(&breaker, 1250, 250);
	assert_false(mcp_breaker_allows(&breaker, 1499));
	assert_true(mcp_breaker_allows(&breaker, 1500));
}

static void a_success_closes_it_at_once(void **state) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, UINT32_MAX);
	assert_false(mcp_breaker_allows(&breaker, 1001));
	mcp_breaker_close(&breaker);
	assert_true(mcp_breaker_allows(&breaker, 1001));
}

static void who_insists_is_let_through_once_for_each_reason_in_an_outage(void **state) {
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

static void a_pause_of_nothing_refuses_nothing(void **state) {
	mcp_breaker breaker = {0};
	mcp_breaker_trip(&breaker, 1000, 0);
	assert_true(mcp_breaker_allows(&breaker, 1000));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_breaker_allows_even_at_time_zero),
		cmocka_unit_test(a_tripped_breaker_refuses_until_the_pause_is_over),
		cmocka_unit_test(a_second_failure_counts_from_its_own_time),
		cmocka_unit_test(a_success_closes_it_at_once),
		cmocka_unit_test(who_insists_is_let_through_once_for_each_reason_in_an_outage),
		cmocka_unit_test(a_pause_of_nothing_refuses_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
