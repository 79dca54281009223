/* Sessions over a server in memory, one request beside another: what each finds, what is stored of what both made, and
 * what a write says that could not be made. The simulator plays the faults. */
/* SPDX-License-Identifier: MIT */
#include "session_world.h"

#include "../../src/store/memory/store_memory.h"

#include <string.h>
#include <cmocka.h>

SESSION_TEST(what_a_request_stores_the_next_one_finds) {
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_NOTHING, first.kind);
	assert_true(first.is_held);
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:1;"));
	assert_false(first.is_held);
	assert_int_equal(MCP_OK, start_request(&second));
	assert_data(&second, "a|i:1;");
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, ""));
	assert_stored("");
}

SESSION_TEST(a_session_lives_for_its_ttl_from_its_last_request_on) {
	begin_with("a|i:1;");
	for (int i = 0; i < 3; i++) {
		now_ms += TTL_MS - 5000;
		assert_int_equal(MCP_OK, start_request(&first));
		assert_data(&first, "a|i:1;");
		assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
	}
	now_ms += TTL_MS + 5000;
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_NOTHING, first.kind);
}

SESSION_TEST(the_second_waits_and_is_told_who_has_it) {
	assert_int_equal(MCP_OK, start_request(&first));
	uint64_t began_ms = now_ms;
	session.wait_ms = 1000;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
	assert_in_range(now_ms - began_ms, 1000, 1001);
	assert_int_equal(6, second.holder.length);
	assert_memory_equal("host 7", second.holder.data, 6);
	assert_in_range(second.held_for_ms, 900, 1000);
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:1;"));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_data(&second, "a|i:1;");
}

SESSION_TEST(a_lock_past_its_end_is_taken_over_and_its_holder_merges) {
	begin_both_with("a|i:1;b|i:1;");
	assert_true(second.is_held);
	assert_true(second.was_taken_over && !first.was_taken_over);
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;b|i:1;"));
	assert_false(report.was_late);
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "a|i:1;b|i:2;"));
	assert_true(report.was_merged && report.was_late);
	assert_int_equal(0, report.conflicts);
	assert_stored("a|i:2;b|i:2;");
	/* Neither has given back the other's. */
	assert_int_equal(MCP_OK, start_request(&first));
	session.wait_ms = 100;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
}

SESSION_TEST(requests_without_a_lock_merge) {
	merge_both_with("a|i:1;b|i:1;");
	assert_false(second.is_held);
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;b|i:2;c|N;"));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "a|i:1;b|i:3;"));
	assert_int_equal(1, report.conflicts);
	assert_stored("a|i:2;b|i:3;c|N;");
	session.locking = MCP_SESSION_NO_LOCK;
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:4;"));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "b|i:4;"));
	assert_stored("b|i:4;");
}

SESSION_TEST(what_cannot_be_taken_apart_is_locked_or_refused) {
	merge_both_with("a|i:1;");
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|C:1:\"X\":1:{y}"));
	assert_int_equal(MCP_SESSION_UNMERGEABLE, write_session(&second, "a|i:1;b|i:1;"));
	assert_string_equal("a class has its own serialization format", report.reason);
	assert_stored("a|C:1:\"X\":1:{y}");
	assert_int_equal(MCP_OK, start_request(&first));
	assert_true(first.is_held);
	session.wait_ms = 100;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
}

SESSION_TEST(what_is_destroyed_stays_so) {
	merge_both_with("a|i:1;");
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
	assert_kind(MCP_SESSION_TOMBSTONE);
	assert_int_equal(MCP_SESSION_DROPPED, write_session(&second, "a|i:2;"));
	assert_kind(MCP_SESSION_TOMBSTONE);
	/* One that begins after it begins anew, and the earlier one is no part of that. */
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_TOMBSTONE, second.kind);
	assert_false(mcp_session_is_there(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "new|i:1;"));
	assert_int_equal(MCP_SESSION_DROPPED, write_session(&first, "a|i:3;"));
	assert_stored("new|i:1;");
}

/* Leaves the id as it was before any request, or destroyed, or with a session, for the first one to read. */
static void leave(mcp_session_kind kind) {
	mcp_store_memory_evict(store, &key);
	if (kind != MCP_SESSION_NOTHING) {
		begin_with("old|i:1;");
	}
	if (kind == MCP_SESSION_TOMBSTONE) {
		assert_int_equal(MCP_OK, start_request(&second));
		assert_int_equal(MCP_SESSION_STORED, destroy_session(&second));
	}
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(kind, first.kind);
}

static void begin_by_second(const char *data) {
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, data));
}

static void destroy_by_second(void) {
	assert_int_equal(MCP_OK, start_request(&second));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&second));
}

static const mcp_session_kind kinds[] = {MCP_SESSION_NOTHING, MCP_SESSION_TOMBSTONE,
	MCP_SESSION_VALUE};
static const mcp_session_locking unlocked[] = {MCP_SESSION_MERGE, MCP_SESSION_NO_LOCK};

SESSION_TEST(a_destroy_leaves_the_id_dead_whatever_came_in_between) {
	for (int i = 0; i < 6; i++) {
		session.locking = unlocked[i / 3];
		leave(kinds[i % 3]);
		begin_by_second("user|i:7;");
		assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
		assert_kind(MCP_SESSION_TOMBSTONE);
		leave(kinds[i % 3]);
		destroy_by_second();
		begin_by_second("user|i:7;");
		assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
		assert_kind(MCP_SESSION_TOMBSTONE);
	}
}

SESSION_TEST(who_began_before_a_destroy_stores_nothing_behind_it) {
	for (int i = 0; i < 6; i++) {
		session.locking = unlocked[i / 3];
		leave(kinds[i % 3]);
		destroy_by_second();
		assert_int_equal(MCP_SESSION_DROPPED, write_session(&first, "mine|i:1;"));
		assert_kind(MCP_SESSION_TOMBSTONE);
		leave(kinds[i % 3]);
		begin_by_second("a|i:1;");
		destroy_by_second();
		begin_by_second("b|i:1;");
		assert_int_equal(MCP_SESSION_DROPPED, write_session(&first, "mine|i:1;"));
		assert_stored("b|i:1;");
	}
}

SESSION_TEST(requests_that_have_read_one_tombstone_merge) {
	session.locking = MCP_SESSION_MERGE;
	leave(MCP_SESSION_TOMBSTONE);
	begin_by_second("a|i:1;");
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "b|i:1;"));
	assert_stored("a|i:1;b|i:1;");
}

SESSION_TEST(what_is_destroyed_twice_is_destroyed) {
	merge_both_with("a|i:1;");
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&second));
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, destroy_session(&first));
	assert_kind(MCP_SESSION_TOMBSTONE);
}

SESSION_TEST(an_evicted_session_lives_on_where_nobody_can_have_destroyed_it) {
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	mcp_store_memory_evict(store, &key);
	assert_int_equal(MCP_SESSION_STORED, renew_session(&first));
	assert_true(report.was_stored_again);
	assert_stored("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	now_ms += LOCK_MS + 5000;
	assert_int_equal(MCP_OK,
		start_request(&second)); /* has taken the lock over, and may destroy it */
	mcp_store_memory_evict(store, &key);
	assert_int_equal(MCP_SESSION_LOST, write_session(&first, "a|i:2;"));
	assert_kind(MCP_SESSION_NOTHING);
	mcp_session_close(&session, &second);
	session.locking = MCP_SESSION_MERGE;
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	mcp_store_memory_evict(store, &key);
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:2;"));
	assert_int_equal(MCP_OK, start_request(&first));
	mcp_store_memory_evict(store, &key);
	now_ms += TTL_MS / 2;
	assert_int_equal(MCP_SESSION_LOST, write_session(&first, "a|i:3;"));
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:4;"));
	assert_int_equal(MCP_OK, start_request(&first));
	mcp_store_memory_restart(store);
	faults.connection++;
	assert_int_equal(MCP_SESSION_LOST, write_session(&first, "a|i:5;"));
}

SESSION_TEST(a_handed_out_id_is_valid_from_its_first_read_on) {
	mcp_pauses pauses = {.has_begun = false};
	session.locking = MCP_SESSION_MERGE;
	assert_int_equal(MCP_OK, mcp_session_start(&session, &first, true, &pauses));
	assert_true(mcp_session_is_there(&first));
	assert_kind(MCP_SESSION_PLACEHOLDER);
	assert_int_equal(MCP_OK, start_request(&second));
	assert_true(mcp_session_is_there(&second));
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "a|i:1;"));
	assert_int_equal(MCP_SESSION_STORED, write_session(&second, "b|i:1;"));
	assert_stored("a|i:1;b|i:1;");
}

/* Copies the item that stands under the key to the other one. */
static void copy_to_other(void) {
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
	mcp_record record = {.body = item.value, .flags = item.flags};
	assert_int_equal(MCP_OK, mcp_store_set(store, &other_key, &record));
}

SESSION_TEST(no_other_sessions_data_and_no_unsigned_is_believed) {
	begin_with("a|i:1;");
	copy_to_other();
	session.key = &other_key;
	assert_kind(MCP_SESSION_STRANGE);
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "mine|N;"));
	assert_stored("mine|N;");
	session.key = &key;
	mcp_signing_keys *keys = malloc(sizeof(*keys) + sizeof(keys->keys[0]));
	keys->count = 1;
	mcp_signing_key_make(&keys->keys[0], mcp_bytes_of("secret", 6));
	session.signing_keys = keys;
	assert_kind(MCP_SESSION_STRANGE);
	assert_int_equal(MCP_OK, start_request(&first));
	assert_int_equal(MCP_SESSION_STORED, write_session(&first, "signed|N;"));
	assert_stored("signed|N;");
	session.signing_keys = NULL;
	assert_stored("signed|N;");
	free(keys);
}

SESSION_TEST(what_is_in_another_format_is_refused_and_stays) {
	begin_with("a|i:1;");
	session.format = MCP_SESSION_PHP_SERIALIZE;
	assert_int_equal(MCP_FOREIGN, start_request(&first));
	assert_false(first.is_held);
	session.format = MCP_SESSION_PHP;
	assert_int_equal(MCP_OK, start_request(&first)); /* nobody has the lock */
	assert_data(&first, "a|i:1;");
}

SESSION_TEST(what_is_too_large_leaves_what_was_there) {
	enum { LARGE = 1200000 };
	begin_with("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&first));
	char *bytes = malloc(LARGE);
	memset(bytes, 'x', LARGE);
	mcp_session_write(&session, &first, mcp_bytes_of(bytes, LARGE), &report);
	assert_int_equal(MCP_SESSION_TOO_LARGE, report.outcome);
	free(bytes);
	assert_stored("a|i:1;");
	assert_int_equal(MCP_OK, start_request(&second)); /* and the lock was given back */
	assert_true(second.is_held);
}

SESSION_TEST(a_child_of_a_fork_gives_nothing_back) {
	assert_int_equal(MCP_OK, start_request(&first));
	mcp_session_known child = first;
	mcp_session_disown(NULL, &child);
	mcp_session_close(&session, &child);
	session.wait_ms = 100;
	assert_int_equal(MCP_NOT_STORED, start_request(&second));
	mcp_session_close(&session, &first);
	assert_int_equal(MCP_OK, start_request(&second));
}
