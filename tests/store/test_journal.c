/* The keys that a server missed: in the order in which they came, each once, and never more than there is room
 * for. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/failover/server_health.h"

#include <stdio.h>

static uint64_t fingerprint_of(int number) {
	return UINT64_MAX - (uint64_t)number;
}

static bool note(mcp_journal *journal, int number) {
	char key[32];
	int length = snprintf(key, sizeof(key), "prefix.key %d", number);
	mcp_journal_entry entry = {mcp_bytes_of(key, (size_t)length), fingerprint_of(number)};
	return mcp_journal_add(journal, entry);
}

static void assert_oldest(const mcp_journal *journal, int number) {
	char key[32];
	int length = snprintf(key, sizeof(key), "prefix.key %d", number);
	mcp_journal_entry oldest = mcp_journal_oldest(journal);
	assert_true(mcp_bytes_equal(mcp_bytes_of(key, (size_t)length), oldest.key));
	assert_int_equal(fingerprint_of(number), oldest.fingerprint);
}

TEST(keys_come_out_as_they_came_in) {
	mcp_journal journal = {0};
	for (int i = 0; i < 3; i++) {
		assert_true(note(&journal, i));
	}
	for (int i = 0; i < 3; i++) {
		assert_oldest(&journal, i);
		mcp_journal_remove_oldest(&journal);
	}
	assert_int_equal(0, journal.count);
	mcp_journal_clear(&journal);
}

TEST(a_key_is_listed_once) {
	mcp_journal journal = {0};
	for (int i = 0; i < 10; i++) {
		assert_true(note(&journal, i % 2));
	}
	assert_int_equal(2, journal.count);
	assert_oldest(&journal, 0);
	mcp_journal_clear(&journal);
}

TEST(the_oldest_makes_room) {
	mcp_journal journal = {0};
	for (int i = 0; i < MCP_JOURNAL_MAX; i++) {
		assert_true(note(&journal, i));
	}
	assert_true(note(&journal, 0));
	assert_false(note(&journal, MCP_JOURNAL_MAX));
	assert_false(note(&journal, 0));
	assert_int_equal(MCP_JOURNAL_MAX, journal.count);
	assert_oldest(&journal, 2);
	mcp_journal_clear(&journal);
}

TEST(an_emptied_journal_is_filled_again) {
	mcp_journal journal = {0};
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < MCP_JOURNAL_MAX; i++) {
			assert_true(note(&journal, round * MCP_JOURNAL_MAX + i));
		}
		for (int i = 0; i < MCP_JOURNAL_MAX; i++) {
			assert_oldest(&journal, round * MCP_JOURNAL_MAX + i);
			mcp_journal_remove_oldest(&journal);
		}
	}
	mcp_journal_clear(&journal);
	assert_true(note(&journal, 7));
	assert_oldest(&journal, 7);
	mcp_journal_clear(&journal);
}
