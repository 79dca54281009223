/* Holds the board of discovered lists to what its readers build on: one process asks, a list is whole or none, and times
 * that nobody can have written are none. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/discovery/board.h"

#define NOW_MS 5000000

static mcp_board board;

static int clear(void **state) {
	(void)state;
	memset((void *)&board, 0, sizeof(board));
	return 0;
}

static mcp_cluster cluster_of(uint64_t version, const char *text) {
	mcp_cluster cluster = {.version = version, .servers = 1, .length = strlen(text)};
	memcpy(cluster.text, text, cluster.length);
	return cluster;
}

static void each_endpoint_has_a_record_while_there_is_room(void **state) {
	(void)state;
	mcp_board_record *records[MCP_BOARD_RECORDS];
	for (uint64_t i = 0; i < MCP_BOARD_RECORDS; i++) {
		records[i] = mcp_board_find(&board, i + 1);
		assert_non_null(records[i]);
	}
	assert_null(mcp_board_find(&board, 99));
	for (uint64_t i = 0; i < MCP_BOARD_RECORDS; i++) {
		assert_ptr_equal(records[i], mcp_board_find(&board, i + 1));
	}
}

static void one_of_several_has_the_turn(void **state) {
	(void)state;
	mcp_board_record *record = mcp_board_find(&board, 7);
	uint64_t claim, other;
	assert_true(mcp_board_is_due(record, NOW_MS));
	assert_true(mcp_board_claim(record, NOW_MS, 700, &claim));
	assert_true(mcp_board_is_claimed(record, NOW_MS));
	assert_false(mcp_board_claim(record, NOW_MS, 700, &other));
	assert_true(mcp_board_release(record, claim, NOW_MS + MCP_BOARD_MINUTE_MS));
	assert_false(mcp_board_is_claimed(record, NOW_MS));
	assert_false(mcp_board_is_due(record, NOW_MS + MCP_BOARD_MINUTE_MS - 2));
	assert_true(mcp_board_is_due(record, NOW_MS + MCP_BOARD_MINUTE_MS));
}

static void the_turn_of_one_that_was_killed_ends(void **state) {
	(void)state;
	mcp_board_record *record = mcp_board_find(&board, 7);
	uint64_t claim, other;
	assert_true(mcp_board_claim(record, NOW_MS, 700, &claim));
	assert_true(mcp_board_is_claimed(record, NOW_MS + 700));
	assert_false(mcp_board_is_claimed(record, NOW_MS + 701));
	assert_true(mcp_board_claim(record, NOW_MS + 701, 700, &other));
	assert_false(mcp_board_release(record, claim, NOW_MS + MCP_BOARD_MINUTE_MS));
	assert_true(mcp_board_release(record, other, NOW_MS + MCP_BOARD_MINUTE_MS));
}

static void times_that_nobody_can_have_written_are_none(void **state) {
	(void)state;
	static const uint64_t nonsense[] = {NOW_MS + 2 * MCP_BOARD_MINUTE_MS + 1, UINT64_MAX,
		UINT64_MAX - 1, 1ull << 63};
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(*nonsense); i++) {
		mcp_board_record record = {.next_ms = nonsense[i]};
		assert_true(mcp_board_is_due(&record, NOW_MS));
		assert_false(mcp_board_is_claimed(&record, NOW_MS));
	}
	/* Another process read the clock a moment later. */
	mcp_board_record record = {.next_ms = NOW_MS + MCP_BOARD_MINUTE_MS + 20};
	assert_false(mcp_board_is_due(&record, NOW_MS));
}

static void a_list_is_read_as_it_was_written(void **state) {
	(void)state;
	mcp_board_record *record = mcp_board_find(&board, 7);
	static mcp_cluster written, read;
	uint64_t edition, first;
	assert_false(mcp_board_read(record, &read, &edition));
	for (size_t length = 1; length <= MCP_CLUSTER_TEXT_MAX; length += length < 20 ? 1 : 681) {
		written = (mcp_cluster){.version = 12, .servers = length, .length = length};
		memset(written.text, 'a' + (int)(length % 26), length);
		mcp_board_write(record, &written);
		assert_true(mcp_board_read(record, &read, &edition));
		assert_true(read.version == 12);
		assert_int_equal(length, read.servers);
		assert_int_equal(length, read.length);
		assert_memory_equal(written.text, read.text, length);
	}
	written = cluster_of(12, "a:1");
	mcp_board_write(record, &written);
	first = mcp_board_edition(record);
	written = cluster_of(13, "a:1");
	mcp_board_write(record, &written);
	assert_true(mcp_board_edition(record) != first);
	assert_true(mcp_board_edition(record) != 0);
}

/* Damages each word in turn, as a process may that is killed in the middle. */
static void a_list_with_a_wrong_word_is_none(void **state) {
	(void)state;
	mcp_board_record *record = mcp_board_find(&board, 7);
	mcp_cluster written = cluster_of(12, "some.name:11211,another.name:11211"), read;
	uint64_t edition;
	mcp_board_write(record, &written);
	mcp_atomic_u64 *words[] = {&record->check, &record->version, &record->servers_and_length,
		&record->text[0], &record->text[2], &record->text[4]};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		uint64_t right = atomic_load_explicit(words[i], memory_order_relaxed);
		atomic_store_explicit(words[i], right ^ 1, memory_order_relaxed);
		assert_false(mcp_board_read(record, &read, &edition));
		atomic_store_explicit(words[i], UINT64_MAX, memory_order_relaxed);
		assert_false(mcp_board_read(record, &read, &edition));
		atomic_store_explicit(words[i], right, memory_order_relaxed);
		assert_true(mcp_board_read(record, &read, &edition));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_endpoint_has_a_record_while_there_is_room, clear),
		cmocka_unit_test_setup(one_of_several_has_the_turn, clear),
		cmocka_unit_test_setup(the_turn_of_one_that_was_killed_ends, clear),
		cmocka_unit_test_setup(times_that_nobody_can_have_written_are_none, clear),
		cmocka_unit_test_setup(a_list_is_read_as_it_was_written, clear),
		cmocka_unit_test_setup(a_list_with_a_wrong_word_is_none, clear),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
