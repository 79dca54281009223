/* Sessions while answers are lost and connections break in certain places, one send after the other, where the simulator's
 * chance comes too seldom. */
/* SPDX-License-Identifier: MIT */
#include "session_world.h"

#include "../../src/store/memory/store_memory.h"

#include <cmocka.h>

SESSION_TEST(what_nobody_has_changed_need_not_be_taken_apart) {
	session.format = MCP_SESSION_IGBINARY;
	begin_with("binary");
	assert_int_equal(MCP_OK, start_request(&first));
	faults.connection++;
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "changed"));
	assert_false(report.was_merged);
	assert_stored("changed");
	assert_free();
}

SESSION_TEST(a_renewal_over_a_broken_connection_looks) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	now_ms += LOCK_MS / 2;
	faults.connection++;
	assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
	now_ms += TTL_MS - LOCK_MS / 4;
	assert_stored("a|i:1;"); /* it was renewed */
	assert_free();
	assert_int_equal(MCP_OK, start_request(&first));
	faults.connection++;
	mcp_store_memory_evict(store, &key);
	assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
	assert_true(report.was_stored_again);
	assert_int_equal(MCP_OK, start_request(&first));
	faults.connection++;
	mcp_store_memory_restart(store);
	assert_int_equal(MCP_SESSION_LOST, renew_session(&first));
}

SESSION_TEST(a_renewal_of_what_another_has_changed_is_left_to_that_one) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	now_ms += LOCK_MS + 1001;
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "a|C:1:\"X\":1:{y}"));
	faults.connection++;
	assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
	assert_stored("a|C:1:\"X\":1:{y}");
}

SESSION_TEST(a_lock_whose_end_has_no_answer_is_given_back) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	faults.lost_send = faults.sends + 1;
	faults.lost_from = 1;
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;"));
	assert_free();
	/* Also where it was not carried out: the connection broke behind the first step. */
	assert_int_equal(MCP_OK, start_request(&first));
	faults.connection++;
	assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
	assert_free();
	assert_int_equal(MCP_OK, start_request(&first));
	first.lock = (mcp_proof){0}; /* as where the look behind it has not shown it */
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:3;"));
	assert_free();
}

SESSION_TEST(a_lock_of_an_earlier_try_is_taken_for_a_whole_time) {
	mcp_pauses pauses = {.has_begun = false};
	assert_int_equal(MCP_OK, start_request(&first));
	first.is_held = false; /* as where the try had no answer, and arrived late */
	now_ms += LOCK_MS - 5000;
	assert_int_equal(MCP_OK, mcp_session_start(&session, &first, false, &pauses));
	assert_true(first.is_held);
	now_ms += LOCK_MS - 5000;
	session.wait_ms = 0;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
}

SESSION_TEST(a_start_that_cannot_read_leaves_no_lock) {
	begin_with("a|i:1;");
	faults.refuses_session = true;
	assert_int_equal(MCP_ANSWER_TOO_LARGE, start_request(&first));
	faults.refuses_session = false;
	assert_free();
}

SESSION_TEST(a_server_without_cas_ids_is_refused) {
	session.locking = MCP_SESSION_MERGE;
	begin_with("a|i:1;");
	faults.gives_no_cas = true;
	assert_int_equal(MCP_NO_CAS, start_request(&first));
	faults.gives_no_cas = false;
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "a|i:2;"));
	faults.gives_no_cas = true;
	assert_int_equal(MCP_SESSION_FAILED, write_session(&first, "a|i:3;"));
	assert_int_equal(MCP_NO_CAS, report.status);
	assert_stored("a|i:2;");
}

SESSION_TEST(a_server_without_cas_ids_is_refused_by_lock_at_once) {
	uint64_t began_ms = now_ms;
	faults.gives_no_cas = true;
	assert_int_equal(MCP_NO_CAS, start_request(&first));
	assert_false(first.is_held);
	assert_int_equal(MCP_NO_CAS,
		start_request(&second)); /* it does not wait for what the first one has left */
	assert_int_equal(began_ms, now_ms);
}

SESSION_TEST(who_does_not_wait_is_told_who_has_it) {
	assert_int_equal(MCP_OK, start_request(&first));
	now_ms += 700;
	session.wait_ms = 0;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
	assert_int_equal(6, second.holder.length);
	assert_memory_equal("host 7", second.holder.data, 6);
	assert_int_equal(700, second.held_for_ms);
}

SESSION_TEST(a_write_over_a_tombstone_is_not_dropped_by_it) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
	assert_int_equal(MCP_OK, start_request(&first));
	faults.connection++;
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "new|i:1;"));
	assert_stored("new|i:1;");
	/* One that came meanwhile is another thing. */
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
	session.locking = MCP_SESSION_MERGE;
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "b|i:1;"));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&second));
	assert_int_equal(MCP_SESSION_DROPPED, write_session(&first, "new|i:2;"));
}

/* E16.1, E16.3 */
SESSION_TEST(a_first_write_without_an_answer_is_sent_again_where_nothing_is) {
	static const mcp_session_locking lockings[] = {MCP_SESSION_LOCK, MCP_SESSION_MERGE,
		MCP_SESSION_NO_LOCK};
	for (int i = 0; i < 3; i++) {
		session.locking = lockings[i];
		assert_int_equal(MCP_OK, start_request(&first));
		faults.lost_send = faults.sends + 1;
		faults.lost_from = 0;
		faults.drops_lost_send = true;
		assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:1;"));
		assert_false(report.was_stored_again); /* it was not there before */
		assert_stored("a|i:1;");
		mcp_store_memory_evict(store, &key);
		/* One that was carried out is not made again. */
		assert_int_equal(MCP_OK, start_request(&first));
		faults.lost_send = faults.sends + 1;
		faults.drops_lost_send = false;
		assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:1;"));
		assert_stored("a|i:1;");
		mcp_store_memory_evict(store, &key);
	}
}

/* So often that its stamp is forgotten. */
static void change_by_others(void) {
	for (int i = 0; i < MCP_SESSION_STAMPS_MAX; i++) {
		char data[] = "a|i:0;";
		data[4] = (char)('0' + i);
		assert_int_equal(MCP_OK, start_request(&second));
		assert_int_equal(MCP_SESSION_STORED, write_session(&second, data));
	}
}

/* Its reply is lost, and the others write before it is looked up. */
static mcp_session_outcome write_unanswered_beside_others(const char *data) {
	faults.lost_send = faults.sends + 1;
	faults.before_send = faults.sends + 2;
	faults.before = change_by_others;
	mcp_session_outcome outcome = write_session(&first, data);
	assert_null(faults.before);
	return outcome;
}

/* E16.1 */
SESSION_TEST(a_first_write_is_not_merged_into_what_has_grown_out_of_it) {
	session.locking = MCP_SESSION_MERGE;
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, write_unanswered_beside_others("a|i:9;"));
	assert_stored("a|i:7;");
}

static unsigned changes_left, sleeps;

static void change_second(void) {
	char data[] = "b|i:0;";
	data[4] = (char)('0' + changes_left % 10);
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, data));
}

/* Before each write of the first request: two sends are one turn. */
static void change_before_writes(void) {
	change_second();
	faults.before_send = faults.sends + 2;
	faults.before = --changes_left > 0 ? change_before_writes : NULL;
}

static void change_during_pauses(const mcp_environment *of, uint32_t duration_ms) {
	now_ms += duration_ms;
	sleeps++;
	change_second();
}

static mcp_session_outcome merge_beside(unsigned changes, const mcp_environment *environment) {
	session.locking = MCP_SESSION_MERGE;
	begin_with("a|i:1;b|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	session.environment = environment;
	changes_left = changes;
	faults.before_send = faults.sends + 1;
	faults.before = change_before_writes;
	mcp_session_outcome outcome = write_session(&first, "a|i:2;b|i:1;");
	faults.before = NULL;
	return outcome;
}

/* E16.2: what has changed during a pause is read before the next write. */
SESSION_TEST(a_merge_under_contention_is_stored) {
	const mcp_environment *calm = session.environment;
	mcp_environment busy = *calm;
	busy.sleep_ms = change_during_pauses;
	sleeps = 0;
	assert_int_equal(MCP_SESSION_STORED, merge_beside(5, &busy));
	assert_int_equal(1, sleeps);
	assert_int_equal(MCP_SESSION_FAILED, merge_beside(100, calm));
	assert_int_equal(MCP_EXISTS, report.status);
}

/* Also where the request does not wait for locks. */
SESSION_TEST(a_merge_does_not_give_up_after_its_first_pause) {
	session.wait_ms = 0;
	assert_int_equal(MCP_SESSION_STORED, merge_beside(20, session.environment));
}

/* E16.2: the message says that the reply is missing. */
SESSION_TEST(a_write_whose_stamp_may_be_forgotten_is_not_known) {
	session.locking = MCP_SESSION_MERGE;
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_NOT_KNOWN, write_unanswered_beside_others("a|i:9;"));
	assert_int_equal(MCP_UNKNOWN, report.status);
}

/* E16.2: whether it is carried out or not. */
SESSION_TEST(a_write_that_cannot_be_looked_up_is_not_known) {
	session.locking = MCP_SESSION_MERGE;
	for (int is_dropped = 0; is_dropped < 2; is_dropped++) {
		assert_int_equal(MCP_OK, start_request(&first));
		faults.loses_all_sends = true;
		faults.drops_lost_send = is_dropped == 1;
		assert_int_equal(MCP_SESSION_NOT_KNOWN,
			write_session(&first, is_dropped ? "a|i:2;" : "a|i:1;"));
		faults.loses_all_sends = faults.drops_lost_send = false;
		assert_stored("a|i:1;");
	}
}

SESSION_TEST(what_finds_no_memory_for_a_tombstone_is_deleted) {
	for (int i = 0; i < 2; i++) {
		begin_with("a|i:1;");
		assert_int_equal(MCP_OK, start_request(&first));
		faults.has_no_memory = true;
		faults.needs_memory_to_compare = i == 1;
		assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
		assert_kind(MCP_SESSION_NOTHING);
		/* Nothing is there. */
		assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
		/* A tombstone stays. */
		faults.has_no_memory = false;
		now_ms += LOCK_MS + 1001; /* by text the lock was not given back */
		assert_int_equal(MCP_OK, start_request(&first));
		assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
		assert_int_equal(MCP_OK, start_request(&first));
		faults.has_no_memory = true;
		assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
		assert_kind(MCP_SESSION_TOMBSTONE);
		faults.has_no_memory = false;
		mcp_store_memory_evict(store, &key);
		now_ms += LOCK_MS + 1001;
	}
}

static void change_by_second(void) {
	faults.has_no_memory = false;
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "b|i:1;"));
	faults.has_no_memory = true;
}

/* Between the look and the delete. */
SESSION_TEST(what_has_changed_is_deleted_by_its_new_cas_id) {
	merge_both_with("a|i:1;");
	faults.has_no_memory = true;
	faults.before_send = faults.sends + 3;
	faults.before = change_by_second;
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
	assert_null(faults.before);
	assert_kind(MCP_SESSION_NOTHING);
}

/* Begins as the next holder, destroys what is there, and loses the tombstone. */
static void destroy_and_lose(void) {
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&second));
	mcp_store_memory_evict(store, &key);
}

/* Stores for a request whose lock had ended; then comes the next one. */
static void store_late_then_lock_out(void) {
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "a|i:1;b|i:2;"));
	faults.before_send = faults.sends + 1;
	faults.before = destroy_and_lose;
}

SESSION_TEST(a_lock_found_at_an_earlier_turn_proves_nothing) {
	begin_with("a|i:1;b|i:1;");
	assert_int_equal(MCP_OK, start_request(&second));
	now_ms += LOCK_MS + 1001;
	assert_int_equal(MCP_OK, start_request(&first));
	/* Its first turn finds its connection broken, looks, and finds its lock. Before the second one is carried out, the
	 * holder of before stores, so that it gives its lock back and stores nothing. Before the look behind that another
	 * one has the lock, destroys the session, and the tombstone is lost. */
	faults.connection++;
	faults.before_send = faults.sends + 3;
	faults.before = store_late_then_lock_out;
	assert_int_equal(MCP_SESSION_LOST, write_session(&first, "a|i:3;b|i:1;"));
	assert_kind(MCP_SESSION_NOTHING);
}

/* Hands the hold over to another handle of the process, which has the same stamp. */
SESSION_TEST(a_shared_hold_proves_that_nobody_has_destroyed_it) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	first.is_held = false;
	mcp_store_memory_evict(store, &key);
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;"));
	assert_true(report.was_stored_again);
	assert_stored("a|i:2;");
	session.wait_ms = 0;
	assert_int_equal(MCP_NOT_STORED, start_request(&second)); /* it is that handle's still */
	/* Where that has ended, another may have come and destroyed it. */
	now_ms += LOCK_MS + 1001;
	assert_int_equal(MCP_OK, start_request(&first));
	first.is_held = false;
	now_ms += LOCK_MS + 1001;
	destroy_and_lose();
	assert_int_equal(MCP_SESSION_LOST, write_session(&first, "a|i:3;"));
	assert_kind(MCP_SESSION_NOTHING);
}
