/* Holds the board of discovered lists to what its readers build on: one process asks, the list that holds stays whole whatever
 * becomes of the process that writes the next one, and times that no process can have written are none. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/discovery/registry.h"

#define NOW_MS 5000000

static mcp_discovery_registry board;
static mcp_discovery_registry_record *record;
static mcp_discovery_registry_list found;
static const uint64_t name[] = {7, 8};

static int clear(void **state) {
	memset((void *)&board, 0, sizeof(board));
	record = mcp_discovery_registry_find(&board, name);
	return 0;
}

static mcp_discovery_registry_list list_of(uint64_t era, uint64_t version, const char *text) {
	mcp_discovery_registry_list list = {.era = era};
	list.cluster = (mcp_cluster){.version = version, .servers = 1, .length = strlen(text)};
	memcpy(list.cluster.text, text, list.cluster.length);
	return list;
}

static uint64_t claim_at(uint64_t now_ms) {
	uint64_t claim = mcp_discovery_registry_turn(record);
	assert_true(mcp_discovery_registry_claim(record, now_ms, 700, &claim));
	return claim;
}

/* Writes it in a turn of its own. */
static void tell(uint64_t now_ms, const mcp_discovery_registry_list *list) {
	uint64_t claim = claim_at(now_ms);
	assert_true(mcp_discovery_registry_write(record, &claim, list));
	assert_true(mcp_discovery_registry_release(record, claim, now_ms));
}

static void assert_holds(uint64_t version, const char *text) {
	uint64_t edition;
	assert_true(mcp_discovery_registry_read(record, &found, &edition));
	assert_int_equal(mcp_discovery_registry_edition(record), edition);
	assert_int_equal(version, found.cluster.version);
	assert_int_equal(strlen(text), found.cluster.length);
	assert_memory_equal(text, found.cluster.text, strlen(text));
}

TEST_WITH(each_endpoint_has_a_record_while_there_is_room, clear, NULL) {
	mcp_discovery_registry_record *records[MCP_BOARD_RECORDS];
	for (uint64_t i = 0; i < MCP_BOARD_RECORDS; i++) {
		records[i] = mcp_discovery_registry_find(&board, (uint64_t[]){7, i + 8});
		assert_non_null(records[i]);
		assert_true(i == 0 || records[i] != records[i - 1]);
	}
	assert_null(mcp_discovery_registry_find(&board, (uint64_t[]){7, 99}));
	assert_null(mcp_discovery_registry_find(&board, (uint64_t[]){99, 8}));
	for (uint64_t i = 0; i < MCP_BOARD_RECORDS; i++) {
		assert_ptr_equal(records[i], mcp_discovery_registry_find(&board, (uint64_t[]){7, i + 8}));
	}
}

/* A process was killed between the halves of its name. */
TEST_WITH(a_record_with_half_a_name_is_completed, clear, NULL) {
	memset((void *)&board, 0, sizeof(board));
	board.records[0].name[0] = 7;
	assert_ptr_equal(&board.records[1], mcp_discovery_registry_find(&board, (uint64_t[]){6, 8}));
	assert_ptr_equal(&board.records[0], mcp_discovery_registry_find(&board, name));
	assert_ptr_equal(&board.records[2], mcp_discovery_registry_find(&board, (uint64_t[]){7, 9}));
}

TEST_WITH(one_of_several_has_the_turn, clear, NULL) {
	uint64_t other = mcp_discovery_registry_turn(record);
	assert_true(mcp_discovery_registry_is_due(record, NOW_MS));
	uint64_t claim = claim_at(NOW_MS);
	assert_true(mcp_discovery_registry_is_claimed(record, NOW_MS));
	assert_false(mcp_discovery_registry_claim(record, NOW_MS, 700, &other));
	other = mcp_discovery_registry_turn(record);
	assert_false(mcp_discovery_registry_claim(record, NOW_MS, 700, &other));
	assert_true(mcp_discovery_registry_release(record, claim, NOW_MS + MCP_BOARD_MINUTE_MS));
	assert_false(mcp_discovery_registry_is_claimed(record, NOW_MS));
	assert_false(mcp_discovery_registry_is_due(record, NOW_MS + MCP_BOARD_MINUTE_MS - 1));
	assert_true(mcp_discovery_registry_is_due(record, NOW_MS + MCP_BOARD_MINUTE_MS));
}

TEST_WITH(the_turn_of_one_that_was_killed_ends, clear, NULL) {
	uint64_t claim = claim_at(NOW_MS);
	assert_true(mcp_discovery_registry_is_claimed(record, NOW_MS + 699));
	assert_false(mcp_discovery_registry_is_claimed(record, NOW_MS + 700));
	uint64_t other = claim_at(NOW_MS + 700);
	assert_false(mcp_discovery_registry_release(record, claim, NOW_MS + MCP_BOARD_MINUTE_MS));
	assert_true(mcp_discovery_registry_release(record, other, NOW_MS + MCP_BOARD_MINUTE_MS));
}

TEST_WITH(times_that_nobody_can_have_written_are_none, clear, NULL) {
	static const uint64_t nonsense[] = {(NOW_MS + 2ull * MCP_BOARD_MINUTE_MS + 1) << 18 | 1,
		UINT64_MAX, UINT64_MAX - 1, 1ull << 63};
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(*nonsense); i++) {
		record->turn = nonsense[i];
		assert_true(mcp_discovery_registry_is_due(record, NOW_MS));
		assert_false(mcp_discovery_registry_is_claimed(record, NOW_MS));
		claim_at(NOW_MS);
	}
	/* Another process read the clock a moment later. */
	clear(NULL);
	claim_at(NOW_MS + MCP_BOARD_MINUTE_MS + 20);
	assert_false(mcp_discovery_registry_is_due(record, NOW_MS));
}

TEST_WITH(a_list_is_read_as_it_was_written, clear, NULL) {
	static mcp_discovery_registry_list written;
	uint64_t edition, before = 0;
	assert_false(mcp_discovery_registry_read(record, &found, &edition));
	assert_int_equal(0, edition);
	for (size_t length = 1; length <= MCP_CLUSTER_TEXT_MAX; length += length < 20 ? 1 : 681) {
		written = list_of(3, UINT64_MAX, "");
		written.after = 4;
		written.cluster.length = written.cluster.servers = length;
		memset(written.cluster.text, 'a' + (int)(length % 26), length);
		tell(NOW_MS, &written);
		assert_true(mcp_discovery_registry_read(record, &found, &edition));
		assert_true(edition != before);
		assert_int_equal(3, found.era);
		assert_int_equal(4, found.after);
		assert_true(found.cluster.version == UINT64_MAX);
		assert_int_equal(length, found.cluster.servers);
		assert_int_equal(length, found.cluster.length);
		assert_memory_equal(written.cluster.text, found.cluster.text, length);
		before = edition;
	}
}

/* Damages each word in turn. */
TEST_WITH(a_list_with_a_wrong_word_is_none, clear, NULL) {
	mcp_discovery_registry_list written = list_of(0, 12, "some.name:11211,another.name:11211");
	uint64_t edition;
	tell(NOW_MS, &written);
	mcp_atomic_u64 *words = record->lists[1].words;
	for (size_t i = 1; i < MCP_BOARD_HEAD + 5; i++) {
		uint64_t right = words[i];
		words[i] = right ^ 1;
		assert_false(mcp_discovery_registry_read(record, &found, &edition));
		words[i] = UINT64_MAX;
		assert_false(mcp_discovery_registry_read(record, &found, &edition));
		words[i] = right;
		assert_true(mcp_discovery_registry_read(record, &found, &edition));
	}
}

TEST_WITH(a_turn_that_has_ended_writes_and_counts_nothing, clear, NULL) {
	mcp_discovery_registry_list first = list_of(0, 12, "a:1"), older = list_of(0, 13, "b:1"),
								newer = list_of(0, 14, "c:1");
	tell(NOW_MS, &first);
	uint64_t claim = claim_at(NOW_MS);
	uint64_t other = claim_at(NOW_MS + 700);
	assert_false(mcp_discovery_registry_write(record, &claim, &older));
	assert_int_equal(0, mcp_discovery_registry_count(record, claim, &older));
	assert_holds(12, "a:1");
	assert_true(mcp_discovery_registry_write(record, &other, &newer));
	assert_false(mcp_discovery_registry_write(record, &claim, &older));
	assert_holds(14, "c:1");
}

/* A process was killed in the middle of each of its words. */
TEST_WITH(a_list_that_is_being_written_leaves_the_one_that_holds, clear, NULL) {
	mcp_discovery_registry_list first = list_of(0, 12, "some.name:11211"),
								next = list_of(0, 13, "another:1");
	tell(NOW_MS, &first);
	mcp_discovery_registry_copy *room = &record->lists[0];
	memset((void *)room, 0xff, sizeof(*room));
	assert_holds(12, "some.name:11211");
	tell(NOW_MS, &next);
	assert_holds(13, "another:1");
}

TEST_WITH(a_turn_may_write_twice, clear, NULL) {
	mcp_discovery_registry_list first = list_of(0, 12, "a:1"), next = list_of(0, 13, "b:1");
	uint64_t claim = claim_at(NOW_MS);
	assert_true(mcp_discovery_registry_write(record, &claim, &first));
	assert_holds(12, "a:1");
	assert_true(mcp_discovery_registry_write(record, &claim, &next));
	assert_holds(13, "b:1");
	assert_false(mcp_discovery_registry_is_due(record, NOW_MS));
	assert_true(mcp_discovery_registry_release(record, claim, NOW_MS + 10));
	assert_holds(13, "b:1");
}

TEST_WITH(lists_are_in_the_order_of_eras_and_versions, clear, NULL) {
	mcp_discovery_registry_list old = list_of(1, 12, "a:1"), same = list_of(1, 12, "b:1"),
								next = list_of(1, 13, "a:1"), believed = list_of(2, 1, "a:1");
	assert_int_equal(0, mcp_discovery_registry_compare(&old, &same));
	assert_true(mcp_discovery_registry_compare(&next, &old) > 0 &&
		mcp_discovery_registry_compare(&old, &next) < 0);
	assert_true(mcp_discovery_registry_compare(&believed, &next) > 0 &&
		mcp_discovery_registry_compare(&next, &believed) < 0);
}

TEST_WITH(lower_versions_are_counted_in_a_row, clear, NULL) {
	mcp_discovery_registry_list lower = list_of(0, 3, "a:1"), another = list_of(0, 3, "b:1");
	uint64_t claim = claim_at(NOW_MS);
	assert_int_equal(1, mcp_discovery_registry_count(record, claim, &lower));
	assert_int_equal(2, mcp_discovery_registry_count(record, claim, &lower));
	mcp_discovery_registry_release(record, claim, NOW_MS);
	claim = claim_at(NOW_MS);
	assert_int_equal(3, mcp_discovery_registry_count(record, claim, &lower));
	assert_int_equal(1, mcp_discovery_registry_count(record, claim, &another));
	assert_int_equal(1, mcp_discovery_registry_count(record, claim, &lower));
	assert_int_equal(0, mcp_discovery_registry_count(record, claim, NULL));
	assert_int_equal(1, mcp_discovery_registry_count(record, claim, &lower));
}
