/* Holds the merge of sessions to texts written by hand: whose value stays of each key, what cannot be taken apart, and
 * that references go along. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/core/session/session_parts.h"
enum { ROOM = 1 << 20 };

static char *copy_of(const char *text) {
	size_t length = strlen(text);
	char *copy = malloc(length + (length == 0));
	memcpy(copy, text, length);
	return copy;
}

static mcp_session_arena room;

static int make_room(void **state) {
	*state = malloc(ROOM);
	room = mcp_session_arena_of(*state, ROOM);
	return *state == NULL ? -1 : 0;
}

static int free_room(void **state) {
	free(*state);
	return 0;
}

/* Merges copies on the heap and to the byte, so that a byte more is seen. */
static bool merge(mcp_session_format format, unsigned depth, const char *const texts[3],
	mcp_session_merged *merged) {
	mcp_session_versions of = {.format = format, .depth = depth};
	mcp_bytes *all[] = {&of.base, &of.mine, &of.theirs};
	char *copies[3];
	room.used = 0;
	for (int i = 0; i < 3; i++) {
		copies[i] = copy_of(texts[i]);
		*all[i] = mcp_bytes_of(copies[i], strlen(texts[i]));
	}
	bool is_merged = mcp_session_merge(&of, &room, merged);
	for (int i = 0; i < 3; i++) {
		free(copies[i]);
	}
	return is_merged;
}

static void assert_merged(mcp_session_format format, unsigned depth, const char *const texts[3],
	const char *expected, unsigned conflicts) {
	mcp_session_merged merged;
	assert_true(merge(format, depth, texts, &merged));
	if (merged.data.length != strlen(expected) ||
		memcmp(merged.data.data, expected, merged.data.length) != 0) {
		fail_msg("expected %s, got %.*s", expected, (int)merged.data.length, merged.data.data);
	}
	assert_int_equal(conflicts, merged.conflicts);
	assert_null(room.reason);
}

#define ASSERT_MERGED(format, base, mine, theirs, expected, conflicts) \
	assert_merged(format, 1, (const char *const[]){base, mine, theirs}, expected, conflicts)
#define ASSERT_NAMES(base, mine, theirs, expected, conflicts) \
	ASSERT_MERGED(MCP_SESSION_PHP, base, mine, theirs, expected, conflicts)
#define ASSERT_ARRAY(base, mine, theirs, expected, conflicts) \
	ASSERT_MERGED(MCP_SESSION_PHP_SERIALIZE, base, mine, theirs, expected, conflicts)
#define ASSERT_DEEP(depth, base, mine, theirs, expected, conflicts)                            \
	assert_merged(MCP_SESSION_PHP_SERIALIZE, depth, (const char *const[]){base, mine, theirs}, \
		expected, conflicts)

#define WITH_ROOM(name) TEST_WITH(name, make_room, free_room)

WITH_ROOM(each_key_is_as_who_changed_it_left_it) {
	ASSERT_NAMES("a|i:1;b|i:1;", "a|i:2;b|i:1;", "a|i:1;b|i:2;", "a|i:2;b|i:2;", 0);
	ASSERT_NAMES("a|i:1;", "a|i:1;mine|N;", "theirs|N;a|i:1;", "theirs|N;a|i:1;mine|N;", 0);
	ASSERT_NAMES("a|i:1;b|i:1;", "a|i:1;", "a|i:1;b|i:1;c|i:3;", "a|i:1;c|i:3;", 0);
	ASSERT_NAMES("a|i:1;b|i:1;", "a|i:1;b|i:1;", "", "", 0);
	ASSERT_ARRAY("a:1:{i:5;i:1;}", "a:2:{i:5;i:2;s:1:\"5\";N;}", "a:1:{i:5;i:1;}",
		"a:2:{i:5;i:2;s:1:\"5\";N;}", 0);
	ASSERT_ARRAY("", "a:1:{s:1:\"a\";i:1;}", "a:1:{s:1:\"b\";i:1;}",
		"a:2:{s:1:\"b\";i:1;s:1:\"a\";i:1;}", 0);
	ASSERT_ARRAY("a:1:{i:0;N;}", "a:0:{}", "a:1:{i:0;N;}", "a:0:{}", 0);
}

WITH_ROOM(of_what_both_changed_mine_stays_and_is_counted) {
	ASSERT_NAMES("a|i:1;", "a|i:2;", "a|i:3;", "a|i:2;", 1);
	ASSERT_NAMES("a|i:1;", "a|i:2;", "a|i:2;", "a|i:2;", 0);
	ASSERT_NAMES("a|i:1;", "a|i:2;", "", "a|i:2;", 1);
	ASSERT_NAMES("a|i:1;", "", "a|i:2;", "", 1);
	ASSERT_NAMES("", "a|i:1;b|i:1;", "b|i:2;a|i:2;", "b|i:1;a|i:1;", 2);
}

WITH_ROOM(names_are_any_bytes_up_to_a_bar) {
	ASSERT_NAMES("", "|i:1;", "!a|i:2;", "!a|i:2;|i:1;", 0);
	ASSERT_NAMES("", "s:3:\"|s:3:\"|\";\";", "a|s:3:\"b|c\";", "a|s:3:\"b|c\";s:3:\"|s:3:\"|\";\";",
		0);
}

WITH_ROOM(references_are_counted_anew_where_a_value_moves) {
#define PAIR "a:2:{i:0;O:1:\"A\":0:{}i:1;r:"
	ASSERT_NAMES("", "m|" PAIR "2;}", "t|i:1;u|" PAIR "3;}", "t|i:1;u|" PAIR "3;}m|" PAIR "6;}", 0);
	ASSERT_ARRAY("", "a:1:{s:1:\"m\";" PAIR "3;}}", "a:1:{s:1:\"t\";s:4:\"text\";}",
		"a:2:{s:1:\"t\";s:4:\"text\";s:1:\"m\";" PAIR "4;}}", 0);
	/* A reference is no slot; a key and a property's name are none. */
	ASSERT_NAMES("", "m|" PAIR "2;}", "t|a:2:{i:0;i:1;i:1;R:2;}u|O:1:\"A\":1:{s:1:\"p\";N;}",
		"t|a:2:{i:0;i:1;i:1;R:2;}u|O:1:\"A\":1:{s:1:\"p\";N;}m|" PAIR "6;}", 0);
	/* A value that only stands elsewhere is no change. */
	ASSERT_NAMES("a|N;b|" PAIR "3;}", "b|" PAIR "2;}", "a|i:1;b|" PAIR "3;}c|N;",
		"b|" PAIR "2;}c|N;", 1);
	/* More digits. */
	ASSERT_NAMES("", "m|" PAIR "2;}", "a|N;b|N;c|N;d|N;e|N;f|N;g|N;h|N;",
		"a|N;b|N;c|N;d|N;e|N;f|N;g|N;h|N;m|" PAIR "10;}", 0);
}

WITH_ROOM(a_case_is_what_it_names_wherever_it_stands) {
#define CASE "E:6:\"Suit:H\";"
	ASSERT_NAMES("a|" CASE "b|r:1;", "a|" CASE "b|r:1;", "b|" CASE "a|r:1;", "b|" CASE "a|" CASE,
		0);
	ASSERT_NAMES("", "a|" CASE "b|a:1:{i:0;r:1;}", "c|N;", "c|N;a|" CASE "b|a:1:{i:0;" CASE "}", 0);
}

WITH_ROOM(what_hangs_together_is_not_taken_apart) {
	static const char *const texts[] = {"a|i:1;b|R:1;", "o|O:1:\"P\":0:{}p|r:1;",
		"a|C:1:\"X\":1:{y}", "a|i:1;a|i:2;", "a|", "a|i:1;b", "a|S:1:\"a\";", "a|i:1", "a|i:;",
		"a|i:1;|", "a|R:0;", "a|R:2;", "a|r:99999999999999999999999;", "a|a:1:{i:0;}",
		"a|a:1:{N;N;}", "a|a:2:{i:0;N;}", "a|a:0:{i:0;N;}", "a|b:;", "a|d:;", "a|s:5:\"abc\";",
		"a|a:99999999999:{}", "a|O:1:\"A\":0:{", "a|x:1;", "a|N;}", "a|E:3:\"A:B\"", "a|a:-1:{}"};
	mcp_session_merged merged;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		for (int which = 0; which < 3; which++) {
			const char *three[3] = {"", "", ""};
			three[which] = texts[i];
			room.reason = NULL;
			if (merge(MCP_SESSION_PHP, 1, three, &merged)) {
				fail_msg("taken apart: %s", texts[i]);
			}
			assert_non_null(room.reason);
			assert_false(mcp_session_arena_is_short(&room));
		}
	}
	static const char *const arrays[] = {"a:1:{i:0;N;", "a:1:{i:0;N;}x", "a:2:{i:0;N;}", "N;",
		"a:2:{i:0;N;i:0;N;}", "a:1:{i:0;R:1;}", "a:1:{d:1;N;}", "a:0:{", "a:0:{}}"};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		const char *const three[3] = {"", arrays[i], ""};
		assert_false(merge(MCP_SESSION_PHP_SERIALIZE, 1, three, &merged));
	}
	const char *const empty[3] = {"", "", ""};
	assert_false(merge(MCP_SESSION_IGBINARY, 1, empty, &merged));
}

WITH_ROOM(depth_has_a_limit) {
	enum { DEPTH = 5000 };
	char *text = malloc(DEPTH * 10 + 16);
	char *at = text + sprintf(text, "a|");
	for (int i = 0; i < DEPTH; i++) {
		at += sprintf(at, "a:1:{i:0;");
	}
	at += sprintf(at, "N;");
	memset(at, '}', DEPTH);
	at[DEPTH] = '\0';
	const char *const three[3] = {"", text, ""};
	mcp_session_merged merged;
	assert_false(merge(MCP_SESSION_PHP, 1, three, &merged));
	assert_string_equal("nested too deeply", room.reason);
	free(text);
}

WITH_ROOM(arrays_are_merged_inside_as_deep_as_is_asked_for) {
#define OUTER(inner) "a:1:{s:1:\"o\";" inner "}"
#define BASE OUTER("a:2:{i:1;N;i:2;a:1:{i:0;i:0;}}")
#define MINE OUTER("a:2:{i:1;i:5;i:2;a:1:{i:0;i:1;}}")
#define THEIRS OUTER("a:2:{i:1;N;i:2;a:2:{i:0;i:0;i:7;N;}}")
	ASSERT_DEEP(1, BASE, MINE, THEIRS, MINE, 1);
	ASSERT_DEEP(2, BASE, MINE, THEIRS, MINE, 1);
	ASSERT_DEEP(3, BASE, MINE, THEIRS, OUTER("a:2:{i:1;i:5;i:2;a:2:{i:0;i:1;i:7;N;}}"), 0);
	/* A base that is missing is empty; one that was no array is a conflict of the whole. */
	ASSERT_DEEP(2, "", OUTER("a:1:{i:1;N;}"), OUTER("a:1:{i:2;N;}"), OUTER("a:2:{i:2;N;i:1;N;}"),
		0);
	ASSERT_DEEP(2, OUTER("N;"), OUTER("a:1:{i:1;N;}"), OUTER("a:1:{i:2;N;}"), OUTER("a:1:{i:1;N;}"),
		1);
	/* An array whose elements hang together stays one value. */
	ASSERT_DEEP(2, "", OUTER("a:2:{i:1;N;i:2;R:3;}"), OUTER("a:1:{i:3;N;}"),
		OUTER("a:2:{i:1;N;i:2;R:3;}"), 1);
	ASSERT_DEEP(2, "", OUTER("a:1:{i:1;" PAIR "4;}}"), OUTER("a:1:{i:3;N;}"),
		OUTER("a:2:{i:3;N;i:1;" PAIR "5;}}"), 0);
}

/* Merges in less and less room: it says how much it wants, and gets along with that in the end. */
TEST(short_room_is_no_refusal) {
	const char *const three[3] = {"a|i:1;", "a|i:2;b|" PAIR "3;}", "a|i:1;c|s:3:\"abc\";"};
	size_t size = 0;
	mcp_session_merged merged;
	for (int i = 0; i < 100; i++) {
		char *memory = malloc(size + 1);
		room = mcp_session_arena_of(memory, size);
		bool is_merged = merge(MCP_SESSION_PHP, 1, three, &merged);
		if (is_merged) {
			assert_true(mcp_bytes_equal(merged.data,
				mcp_bytes_of("a|i:2;c|s:3:\"abc\";b|" PAIR "4;}", merged.data.length)));
			free(memory);
			return;
		}
		free(memory);
		assert_true(mcp_session_arena_is_short(&room));
		assert_null(room.reason);
		size = room.wanted;
	}
	fail_msg("never enough");
}
