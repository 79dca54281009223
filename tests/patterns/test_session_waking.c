/* Waiters of a session's lock that sleep on a bell: who is woken, when, and how often. */
/* SPDX-License-Identifier: MIT */
#include "bell_world.h"
#include "session_world.h"

#include <cmocka.h>

static bell_world *bells;

static int open_bells(void **state) {
	int opened = open_session_world(state);
	bells = bell_world_open(session.store, session.environment, &now_ms);
	if (bells == NULL) {
		return -1;
	}
	session.store = bells->store;
	session.environment = &bells->environment;
	return opened;
}

static int close_bells(void **state) {
	bell_world_close(bells);
	return close_session_world(state);
}

/* Waits by the second request for the first one's lock, which that gives back meanwhile: it then has it at once. */
static void assert_woken(void (*give_back)(void *actor)) {
	assert_int_equal(MCP_OK, start_request(&first));
	uint64_t began_ms = now_ms;
	unsigned sends = faults.sends, before = bells->wakes;
	bells->while_asleep = give_back;
	assert_int_equal(MCP_OK, start_request(&second));
	assert_true(second.is_held);
	assert_int_equal(began_ms, now_ms);
	assert_int_equal(1, bells->wakes - before);
	/* It tries, listens and looks, is woken, and tries; one send is the other's. */
	assert_int_equal(4, faults.sends - sends);
	mcp_session_close(&session, &second);
}

static void by_write(void *actor) {
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;"));
}

static void by_renewal(void *actor) {
	assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
}

static void by_close(void *actor) {
	mcp_session_close(&session, &first);
}

static void by_destroy(void *actor) {
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
}

#define WITH_BELLS(name) TEST_WITH(name, open_bells, close_bells)

WITH_BELLS(whoever_gives_it_back_wakes_one_who_waits) {
	begin_with("a|i:1;");
	assert_woken(by_write);
	assert_woken(by_renewal);
	assert_woken(by_close);
	assert_woken(by_destroy);
	assert_int_equal(0, bells->wakes_of_all);
}

WITH_BELLS(who_is_woken_reads_what_was_written_before) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	bells->while_asleep = by_write;
	assert_int_equal(MCP_OK, start_request(&second));
	assert_data(&second, "a|i:2;");
}

WITH_BELLS(nobody_is_woken_where_nobody_waits) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	by_write(NULL);
	assert_int_equal(MCP_OK, start_request(&first));
	by_destroy(NULL);
	assert_int_equal(0, bells->wakes);
	assert_int_equal(0, bells->bell->awaited_until_ms);
}

/* Stores beside the lock's holder. */
static void merge_beside(void *actor) {
	static mcp_session_known third;
	session.locking = MCP_SESSION_MERGE;
	assert_int_equal(MCP_OK, start_request(&third));
	assert_int_equal(MCP_SESSION_STORED, write_session(&third, "a|i:3;"));
	session.locking = MCP_SESSION_LOCK;
	mcp_session_forget(&third);
}

WITH_BELLS(a_sessions_own_writes_wake_nobody) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	bells->while_asleep = merge_beside;
	session.wait_ms = 5;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
	assert_true(bells->dozes > 0);
	assert_int_equal(0, bells->wakes);
}

WITH_BELLS(a_lock_that_is_not_given_back_is_taken_over) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	uint64_t began_ms = now_ms;
	assert_int_equal(MCP_OK, start_request(&second));
	assert_true(second.was_taken_over);
	assert_in_range(now_ms - began_ms, LOCK_MS, LOCK_MS + 1010);
}

static void take(void *actor) {
	mcp_session_close(&session, &first);
	assert_int_equal(MCP_OK, start_request(&first));
}

WITH_BELLS(who_is_woken_in_vain_waits_on) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	bells->while_asleep = take;
	session.wait_ms = 100;
	uint64_t began_ms = now_ms;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
	assert_int_equal(100, now_ms - began_ms);
	assert_int_equal(1, bells->wakes);
}

enum { TURNS = 10 };

static int turns_left;

static void take_often(void *actor) {
	mcp_session_close(&session, &first);
	if (--turns_left > 0) {
		assert_int_equal(MCP_OK, start_request(&first));
		bells->while_asleep = take_often;
	}
}

WITH_BELLS(who_is_woken_again_and_again_for_what_another_takes_first_hears_all_of_it) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	uint64_t began_ms = now_ms;
	turns_left = TURNS;
	bells->while_asleep = take_often;
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(TURNS, bells->wakes);
	assert_int_equal(began_ms, now_ms);
	mcp_session_close(&session, &second);
}

/* Gives it back, and the connection is lost at both sends that follow: the try's, and the one that asks what has become of
 * it. */
static void close_and_lose(void *actor) {
	by_close(actor);
	faults.loses_all_sends = true;
}

WITH_BELLS(who_is_woken_and_finds_no_server_wakes_another) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	bells->while_asleep = close_and_lose;
	assert_true(mcp_status_is_failure(start_request(&second)));
	assert_int_equal(2, bells->wakes);
	assert_int_equal(0, bells->wakes_of_all);
}
