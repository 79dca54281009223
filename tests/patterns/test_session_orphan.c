/* Sessions whose lock nobody holds: a request of the same host has its turn at once (E12), be the request before it killed, or
 * its write of the lock carried out when it had given up. */
/* SPDX-License-Identifier: MIT */
#include "session_world.h"

#include "holder_world.h"

#include <cmocka.h>

static holder_world *processes;
static mcp_late_locks late; /* of the first process */

static int set_up(void **state) {
	processes = open_holder_world();
	late = (mcp_late_locks){0};
	return open_session_world(state);
}

static mcp_status start_by(mcp_holder *holder, mcp_session_known *known) {
	session.holder = holder;
	session.late = holder == &processes->first ? &late : NULL;
	return start_request(known);
}

/* Starts and says how long that has taken. */
static uint64_t start_second(void) {
	uint64_t began_ms = now_ms;
	assert_int_equal(MCP_OK, start_by(&processes->second, &second));
	return now_ms - began_ms;
}

/* Has the first one's start fail though its lock is written: no answer comes. */
static void fail_to_start(void) {
	faults.loses_all_sends = true;
	assert_true(mcp_status_is_unanswered(start_by(&processes->first, &first)));
	faults.loses_all_sends = false;
	assert_false(first.is_held);
}

#define IN_WORLD(name) TEST_WITH(name, set_up, close_session_world)

IN_WORLD(a_killed_requests_turn_is_over_at_once) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_by(&processes->first, &first));
	end_process(&processes->first);
	assert_int_equal(0, start_second());
	assert_true(second.is_held && second.was_taken_over);
	assert_data(&second, "a|i:1;");
}

IN_WORLD(a_killed_request_is_noticed_while_another_waits) {
	assert_int_equal(MCP_OK, start_by(&processes->first, &first));
	session.wait_ms = 1000;
	assert_int_equal(MCP_NOT_STORED, start_by(&processes->second, &second));
	assert_int_equal(0, registered(&processes->second));
	end_process(&processes->first);
	assert_int_equal(0, start_second());
}

IN_WORLD(a_late_lock_of_an_idle_process_is_taken_over) {
	fail_to_start();
	assert_int_equal(0, registered(&processes->first));
	assert_int_equal(0, start_second());
	assert_true(second.is_held);
}

IN_WORLD(a_running_request_is_waited_for) {
	assert_int_equal(MCP_OK, start_by(&processes->first, &first));
	assert_in_range(start_second(), LOCK_MS + 1000, LOCK_MS + 1001);
}

IN_WORLD(another_hosts_lock_is_waited_for) {
	assert_int_equal(MCP_OK, start_by(&processes->far, &first));
	end_process(&processes->far);
	assert_in_range(start_second(), LOCK_MS + 1000, LOCK_MS + 1001);
}

IN_WORLD(a_lock_that_could_not_be_given_back_is_taken_over) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_by(&processes->first, &first));
	faults.loses_all_sends = true;
	faults.lost_from = 0;
	mcp_session_close(&session, &first);
	faults.loses_all_sends = false;
	assert_int_equal(0, registered(&processes->first));
	assert_int_equal(0, start_second());
}

/* Lets the first process ask the server for another session. */
static void start_other(void) {
	mcp_session_known other = {.kind = MCP_SESSION_NOTHING};
	const mcp_key *own = session.key;
	session.key = &other_key;
	assert_int_equal(MCP_OK, start_by(&processes->first, &other));
	mcp_session_close(&session, &other);
	mcp_session_forget(&other);
	session.key = own;
}

static uint64_t start_far(void) {
	uint64_t began_ms = now_ms;
	assert_int_equal(MCP_OK, start_by(&processes->far, &second));
	return now_ms - began_ms;
}

IN_WORLD(a_late_lock_is_taken_back_when_the_server_answers) {
	fail_to_start();
	assert_int_equal(1, late.count);
	start_other();
	assert_int_equal(0, late.count);
	assert_int_equal(0, start_far());
	assert_false(second.was_taken_over);
}

IN_WORLD(a_lock_that_could_not_be_given_back_is_looked_for) {
	assert_int_equal(MCP_OK, start_by(&processes->first, &first));
	faults.loses_all_sends = faults.drops_lost_send = true;
	mcp_session_close(&session, &first);
	faults.loses_all_sends = false;
	assert_int_equal(1, late.count);
	start_other();
	assert_int_equal(0, start_far());
}

IN_WORLD(nobody_takes_back_what_is_held_again) {
	mcp_pauses pauses = {.has_begun = false};
	fail_to_start();
	assert_int_equal(MCP_OK, mcp_session_start(&session, &first, false, &pauses));
	assert_int_equal(0, late.count);
	start_other();
	assert_in_range(start_far(), LOCK_MS + 1000, LOCK_MS + 1001);
}

IN_WORLD(nobody_takes_back_anothers_lock) {
	fail_to_start();
	now_ms += LOCK_MS + 1001;
	assert_int_equal(MCP_OK, start_by(&processes->far, &second));
	assert_true(second.was_taken_over);
	start_other();
	session.wait_ms = 0;
	assert_int_equal(MCP_NOT_STORED, start_by(&processes->second, &first));
	/* It may have been the first one's, before it came: then that is looked for until nothing can come any more. */
	assert_int_equal(1, late.count);
	now_ms += 3000;
	start_other();
	assert_int_equal(0, late.count);
}

IN_WORLD(the_newest_late_locks_are_remembered) {
	for (uint64_t stamp = 1; stamp <= MCP_LATE_LOCKS_MAX + 2; stamp++) {
		mcp_late_locks_add(&late, session.store, &key, stamp);
	}
	assert_int_equal(MCP_LATE_LOCKS_MAX, late.count);
	assert_int_equal(3, late.locks[0].stamp);
	assert_int_equal(MCP_LATE_LOCKS_MAX + 2, late.locks[MCP_LATE_LOCKS_MAX - 1].stamp);
}

/* Whatever becomes of a request's sends. */
IN_WORLD(nothing_stays_registered) {
	begin_with("a|i:1;");
	for (unsigned lost = 1; lost <= 6; lost++) {
		for (size_t from = 0; from < 3; from++) {
			faults.sends = 0;
			faults.lost_send = lost;
			faults.lost_from = from;
			if (start_by(&processes->first, &first) == MCP_OK) {
				assert_int_equal(1, registered(&processes->first));
				write_session(&first, "a|i:2;");
			}
			assert_int_equal(0, registered(&processes->first));
			faults.lost_send = 0;
		}
	}
	assert_int_equal(MCP_OK, start_by(&processes->first, &first));
	destroy_session(&first);
	assert_int_equal(0, registered(&processes->first));
	assert_int_equal(MCP_OK, start_by(&processes->first, &first));
	mcp_session_disown(&processes->first, &first);
	assert_int_equal(0, registered(&processes->first));
}

IN_WORLD(a_lost_lock_is_registered_no_more) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_by(&processes->first, &first));
	now_ms += LOCK_MS + 1001;
	assert_int_equal(MCP_OK, start_by(&processes->far, &second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "a|i:2;"));
	session.holder = &processes->first;
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:3;"));
	assert_int_equal(0, registered(&processes->first));
	assert_int_equal(0, registered(&processes->far));
}
