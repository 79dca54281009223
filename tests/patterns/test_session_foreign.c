/* Sessions that another handler has stored, and that are moved over. */
/* SPDX-License-Identifier: MIT */
#include "session_world.h"

#include "../../src/store/memory/store_memory.h"

#include <cmocka.h>

static void assert_foreign(mcp_status status) {
	mcp_item item;
	assert_int_equal(status, mcp_store_get(store, &foreign_key, &item));
}

SESSION_TEST(it_is_read_and_moves_with_the_first_write) {
	store_foreign("a|i:1;", 0);
	assert_int_equal(MCP_OK, start_request(&first));
	assert_true(mcp_session_is_there(&first) && mcp_session_has_data(&first));
	assert_memory_equal("a|i:1;", first.data.data, first.data.length);
	mcp_session_close(&session, &first);
	assert_foreign(MCP_OK); /* nothing was stored */
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;"));
	assert_foreign(MCP_NOT_FOUND);
	assert_stored("a|i:2;");
}

SESSION_TEST(an_unchanged_close_moves_it_too) {
	store_foreign("a|i:1;", 0);
	session.locking = MCP_SESSION_MERGE;
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
	assert_foreign(MCP_NOT_FOUND);
	assert_stored("a|i:1;");
}

SESSION_TEST(two_requests_that_move_it_merge) {
	store_foreign("a|i:1;b|i:1;", 0);
	session.locking = MCP_SESSION_MERGE;
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;b|i:1;"));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "a|i:1;b|i:2;"));
	assert_int_equal(0, report.conflicts);
	assert_stored("a|i:2;b|i:2;");
}

SESSION_TEST(what_is_destroyed_is_gone_there_too) {
	store_foreign("a|i:1;", 0);
	session.locking = MCP_SESSION_MERGE;
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&second));
	assert_foreign(MCP_NOT_FOUND);
	assert_int_equal(MCP_SESSION_DROPPED, write_session(&first, "a|i:2;"));
	/* Nor does it come into what has been begun since. */
	store_foreign("a|i:1;", 0);
	mcp_store_memory_evict(store, &key);
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&second));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "new|N;"));
	assert_int_equal(MCP_SESSION_DROPPED, write_session(&first, "a|i:2;"));
	assert_stored("new|N;");
}

SESSION_TEST(none_is_read_over_a_tombstone) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
	store_foreign("a|i:1;", 0); /* by a host that has not been switched over */
	assert_int_equal(MCP_OK, start_request(&first));
	assert_false(mcp_session_is_there(&first));
}

SESSION_TEST(other_clients_values_are_no_sessions) {
	store_foreign("a|i:1;", 4);
	assert_int_equal(MCP_OK, start_request(&first));
	assert_false(mcp_session_is_there(&first));
}

SESSION_TEST(a_server_that_cannot_be_asked_for_it_is_no_empty_session) {
	store_foreign("a|i:1;", 0);
	faults.is_foreign_down = true;
	assert_int_equal(MCP_TIMEOUT, start_request(&first));
	assert_non_null(first.failed);
	faults.is_foreign_down = false;
	assert_free();
	assert_int_equal(MCP_OK, start_request(&first));
	assert_null(first.failed);
	faults.is_foreign_down = true;
	assert_int_equal(MCP_SESSION_NOT_KNOWN, destroy_session(&first));
	assert_kind(MCP_SESSION_TOMBSTONE);
}
