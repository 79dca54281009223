/* Waiters of a session's lock that sleep on a bell: who is woken, when, and how often. */
/* SPDX-License-Identifier: MIT */
/* Before the world, whose `key` it would take for shadowed. */
#include "../../src/store/wrapped/store_changes.h"

#include "session_world.h"

#include <cmocka.h>

static mcp_atomic_u64 counters[2];
static const mcp_changes changes = {.all = &counters[0], .of_keys = &counters[1], .mask = 0};
static _Alignas(64) mcp_bell bell;
static mcp_bells bells;
static mcp_environment environment;
static mcp_store *told;
static unsigned dozes, wakes, wakes_of_all;
static void (*while_asleep)(void); /* the first sleep's */

static uint64_t bell_ms(const mcp_environment *self) {
	(void)self;
	return now_ms;
}

static mcp_doze doze(const mcp_environment *self, const mcp_atomic_u32 *word, uint32_t noted,
	uint32_t bits, uint64_t end_ms) {
	(void)self;
	(void)bits;
	dozes++;
	if (while_asleep != NULL) {
		void (*work)(void) = while_asleep;
		while_asleep = NULL;
		work();
	}
	if (*word != noted) {
		return MCP_DOZE_WOKEN;
	}
	now_ms = end_ms;
	return MCP_DOZE_OVER;
}

static void wake(const mcp_environment *self, const mcp_atomic_u32 *word, uint32_t bits,
	bool wakes_one) {
	(void)self;
	(void)word;
	(void)bits;
	wakes++;
	wakes_of_all += !wakes_one;
}

static int open_bells(void **state) {
	int opened = open_session_world(state);
	bell = (mcp_bell){0};
	mcp_bells_open(&bells, &bell, sizeof(bell));
	environment = *session.environment;
	environment.bell_ms = bell_ms;
	environment.doze = doze;
	environment.wake = wake;
	mcp_told_host host = {&changes, &bells, &environment};
	told = mcp_store_changes_create(session.store, &host);
	session.store = told;
	session.environment = &environment;
	dozes = wakes = wakes_of_all = 0;
	while_asleep = NULL;
	return told == NULL ? -1 : opened;
}

static int close_bells(void **state) {
	mcp_store_free(told);
	return close_session_world(state);
}

/* Waits by the second request for the first one's lock, which that gives back meanwhile: it then has it at once. */
static void assert_woken(void (*give_back)(void)) {
	assert_int_equal(MCP_OK, start_request(&first));
	uint64_t began_ms = now_ms;
	unsigned sends = faults.sends, before = wakes;
	while_asleep = give_back;
	assert_int_equal(MCP_OK, start_request(&second));
	assert_true(second.is_held);
	assert_int_equal(began_ms, now_ms);
	assert_int_equal(1, wakes - before);
	/* It tries, listens and looks, is woken, and tries; one send is the other's. */
	assert_int_equal(4, faults.sends - sends);
	mcp_session_close(&session, &second);
}

static void by_write(void) {
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;"));
}

static void by_renewal(void) {
	assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
}

static void by_close(void) {
	mcp_session_close(&session, &first);
}

static void by_destroy(void) {
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
}

static void whoever_gives_it_back_wakes_one_who_waits(void **state) {
	(void)state;
	begin_with("a|i:1;");
	assert_woken(by_write);
	assert_woken(by_renewal);
	assert_woken(by_close);
	assert_woken(by_destroy);
	assert_int_equal(0, wakes_of_all);
}

static void who_is_woken_reads_what_was_written_before(void **state) {
	(void)state;
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	while_asleep = by_write;
	assert_int_equal(MCP_OK, start_request(&second));
	assert_data(&second, "a|i:2;");
}

static void nobody_is_woken_where_nobody_waits(void **state) {
	(void)state;
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	by_write();
	assert_int_equal(MCP_OK, start_request(&first));
	by_destroy();
	assert_int_equal(0, wakes);
	assert_int_equal(0, bell.awaited_until_ms);
}

/* Stores beside the lock's holder. */
static void merge_beside(void) {
	static mcp_session_known third;
	session.locking = MCP_SESSION_MERGE;
	assert_int_equal(MCP_OK, start_request(&third));
	assert_int_equal(MCP_SESSION_STORED, write_session(&third, "a|i:3;"));
	session.locking = MCP_SESSION_LOCK;
	mcp_session_forget(&third);
}

static void a_sessions_own_writes_wake_nobody(void **state) {
	(void)state;
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	while_asleep = merge_beside;
	session.wait_ms = 5;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
	assert_true(dozes > 0);
	assert_int_equal(0, wakes);
}

static void a_lock_that_is_not_given_back_is_taken_over(void **state) {
	(void)state;
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	uint64_t began_ms = now_ms;
	assert_int_equal(MCP_OK, start_request(&second));
	assert_true(second.was_taken_over);
	assert_in_range(now_ms - began_ms, LOCK_MS, LOCK_MS + 1010);
}

static void take(void) {
	mcp_session_close(&session, &first);
	assert_int_equal(MCP_OK, start_request(&first));
}

static void who_is_woken_in_vain_waits_on(void **state) {
	(void)state;
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	while_asleep = take;
	session.wait_ms = 100;
	uint64_t began_ms = now_ms;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
	assert_int_equal(100, now_ms - began_ms);
	assert_int_equal(1, wakes);
}

#define WITH_BELLS(test) cmocka_unit_test_setup_teardown(test, open_bells, close_bells)

int main(void) {
	const struct CMUnitTest tests[] = {
		WITH_BELLS(whoever_gives_it_back_wakes_one_who_waits),
		WITH_BELLS(who_is_woken_reads_what_was_written_before),
		WITH_BELLS(nobody_is_woken_where_nobody_waits),
		WITH_BELLS(a_sessions_own_writes_wake_nobody),
		WITH_BELLS(a_lock_that_is_not_given_back_is_taken_over),
		WITH_BELLS(who_is_woken_in_vain_waits_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
