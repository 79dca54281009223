/* Holds the reader of answers to memcached's protocol: every answer of it is read, in as many pieces as it may
 * come in, and nothing that is almost one. */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/protocol/answer.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static mcp_answer read_text(const char *text) {
	mcp_answer answer;
	mcp_answer_read(mcp_bytes_text(text), &answer);
	return answer;
}

static void assert_bytes(const char *expected, mcp_bytes bytes) {
	assert_int_equal(strlen(expected), bytes.length);
	assert_memory_equal(expected, bytes.data, bytes.length);
}

TEST(every_word_of_the_protocol_is_known) {
	static const struct {
		const char *text;
		mcp_answer_kind kind;
	} lines[] = {
		{"END\r\n", MCP_ANSWER_END},
		{"STORED\r\n", MCP_ANSWER_STORED},
		{"NOT_STORED\r\n", MCP_ANSWER_NOT_STORED},
		{"EXISTS\r\n", MCP_ANSWER_EXISTS},
		{"NOT_FOUND\r\n", MCP_ANSWER_NOT_FOUND},
		{"DELETED\r\n", MCP_ANSWER_DELETED},
		{"TOUCHED\r\n", MCP_ANSWER_TOUCHED},
		{"OK\r\n", MCP_ANSWER_OK},
		{"ERROR\r\n", MCP_ANSWER_ERROR},
		{"CLIENT_ERROR bad data chunk\r\n", MCP_ANSWER_CLIENT_ERROR},
		{"SERVER_ERROR out of memory\r\n", MCP_ANSWER_SERVER_ERROR},
		{"SERVER_ERROR\r\n", MCP_ANSWER_SERVER_ERROR},
		{"VERSION 1.6.18\r\n", MCP_ANSWER_VERSION},
		{"STAT pid 1\r\n", MCP_ANSWER_STATISTIC},
		{"0\r\n", MCP_ANSWER_NUMBER},
		{"HD\r\n", MCP_ANSWER_STORED},
		{"HD c7 kname\r\n", MCP_ANSWER_STORED},
		{"NS\r\n", MCP_ANSWER_NOT_STORED},
		{"EX c7\r\n", MCP_ANSWER_EXISTS},
		{"NF\r\n", MCP_ANSWER_NOT_FOUND},
		{"EN\r\n", MCP_ANSWER_MISS},
		{"MN\r\n", MCP_ANSWER_NO_OPERATION},
	};
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		mcp_answer answer = read_text(lines[i].text);
		assert_int_equal(lines[i].kind, answer.kind);
		assert_int_equal(strlen(lines[i].text), answer.length);
		assert_int_equal(answer.length - 2, answer.line.length);
	}
}

TEST(an_item_has_key_flags_cas_id_and_value) {
	mcp_answer answer =
		read_text("VALUE a:key 4294967295 8 18446744073709551615\r\na\r\nb END\r\nEND\r\n");
	assert_int_equal(MCP_ANSWER_VALUE, answer.kind);
	assert_bytes("a:key", answer.key);
	assert_bytes("a\r\nb END", answer.value);
	assert_true(answer.flags == UINT32_MAX);
	assert_true(answer.cas == UINT64_MAX);
	assert_int_equal(strlen("VALUE a:key 4294967295 8 18446744073709551615\r\n") + 10,
		answer.length);
}

TEST(an_item_may_come_without_cas_id_and_without_bytes) {
	mcp_answer answer = read_text("VALUE k 0 0\r\n\r\n");
	assert_int_equal(MCP_ANSWER_VALUE, answer.kind);
	assert_int_equal(0, answer.value.length);
	assert_true(answer.cas == 0);
}

/* As a discovery endpoint tells a cluster's servers. */
TEST(a_configuration_is_read_as_a_value) {
	mcp_answer answer = read_text("CONFIG cluster 0 17\r\n12\na|10.0.0.1|1 \n\r\nEND\r\n");
	assert_int_equal(MCP_ANSWER_CONFIG, answer.kind);
	assert_bytes("cluster", answer.key);
	assert_bytes("12\na|10.0.0.1|1 \n", answer.value);
	assert_int_equal(21 + 17 + 2, answer.length);
	assert_int_equal(MCP_ANSWER_NONSENSE, read_text("CONFIG cluster 0 x\r\n").kind);
	assert_int_equal(MCP_ANSWER_NONSENSE, read_text("CONFIG cluster 0 1\r\nab\r\n").kind);
	assert_int_equal(MCP_ANSWER_INCOMPLETE, read_text("CONFIG cluster 0 1\r\na").kind);
}

TEST(numbers_are_read_with_the_spaces_behind_them) {
	assert_true(read_text("18446744073709551615\r\n").number == UINT64_MAX);
	assert_true(read_text("9 \r\n").number == 9);
}

TEST(a_meta_command_answers_the_cas_id) {
	assert_true(read_text("HD c18446744073709551615\r\n").cas == UINT64_MAX);
	assert_true(read_text("HD kname c8 s3\r\n").cas == 8);
	assert_true(read_text("HD\r\n").cas == 0);
	assert_true(read_text("HD \r\n").cas == 0);
}

TEST(a_statistic_has_a_name_and_perhaps_a_value) {
	mcp_answer answer = read_text("STAT version 1.6 (a b)\r\n");
	assert_bytes("version", answer.key);
	assert_bytes("1.6 (a b)", answer.value);
	answer = read_text("STAT inter\r\n");
	assert_bytes("inter", answer.key);
	assert_bytes("", answer.value);
	answer = read_text("STAT inter \r\n");
	assert_bytes("", answer.value);
}

TEST(refusals_keep_their_words) {
	assert_bytes("out of memory", read_text("SERVER_ERROR out of memory\r\n").value);
	assert_bytes("bad  chunk ", read_text("CLIENT_ERROR bad  chunk \r\n").value);
	assert_bytes("SERVER_ERROR out of memory", read_text("SERVER_ERROR out of memory\r\n").line);
}

static void assert_in_pieces(const char *text, size_t whole) {
	for (size_t cut = 0; cut < whole; cut++) {
		char *piece =
			malloc(cut > 0 ? cut : 1); /* so that a sanitizer sees what is read behind it */
		assert_non_null(piece);
		memcpy(piece, text, cut);
		mcp_answer answer;
		mcp_answer_read(mcp_bytes_of(piece, cut), &answer);
		assert_int_equal(MCP_ANSWER_INCOMPLETE, answer.kind);
		assert_in_range(answer.length, cut + 1, whole);
		free(piece);
	}
}

TEST(an_answer_is_incomplete_to_its_last_byte) {
	static const char *const texts[] = {"END\r\n", "VALUE key 0 3 9\r\n\r\nx\r\n",
		"VALUE key 0 0\r\n\r\n", "STAT a b\r\n", "HD c5\r\n", "123\r\n", "SERVER_ERROR x\r\n"};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		assert_in_pieces(texts[i], strlen(texts[i]));
		assert_int_equal(strlen(texts[i]), read_text(texts[i]).length);
	}
}

TEST(it_says_how_many_bytes_a_value_needs) {
	mcp_answer answer = read_text("VALUE key 0 1000 9\r\nx");
	assert_int_equal(MCP_ANSWER_INCOMPLETE, answer.kind);
	assert_int_equal(strlen("VALUE key 0 1000 9\r\n") + 1000 + 2, answer.length);
}

TEST(what_is_almost_an_answer_is_nonsense) {
	static const char *const lines[] = {"\r\n", "\n", "END\n", " END\r\n", "END \r\n", "ENDS\r\n",
		"end\r\n", "STORED x\r\n", "STOREDX\r\n", "HD  c5\r\n", "HD cx\r\n", "HD c\r\n",
		"HD c5x\r\n", "HD c18446744073709551616\r\n", "HDc5\r\n", "STAT\r\n", "STAT \r\n", "-1\r\n",
		"1.5\r\n", "+1\r\n", "18446744073709551616\r\n", "99999999999999999999999\r\n",
		"HTTP/1.1 400 Bad Request\r\n", "VALUE\r\n", "VALUE \r\n", "VALUE key\r\n",
		"VALUE key 0\r\n", "VALUE key 0 \r\n", "VALUE  key 0 1\r\nx\r\n", "VALUE key  0 1\r\nx\r\n",
		"VALUE key 0 1 \r\nx\r\n", "VALUE key 0 1 2 3\r\nx\r\n", "VALUE key -1 1\r\nx\r\n",
		"VALUE key 4294967296 1\r\nx\r\n", "VALUE key 0 -1\r\nx\r\n", "VALUE key 0 x\r\nx\r\n",
		"VALUE key 0 1x\r\nx\r\n", "VALUE key 0 1 -5\r\nx\r\n",
		"VALUE key 0 1 18446744073709551616\r\nx\r\n", "VALUE key 0 1073741825 5\r\n",
		"VALUE key 0 18446744073709551615 5\r\n", "VALUE key 0 1\r\nxy\r\n",
		"VALUE key 0 1\r\nx\n\r\n", "VALUE key 0 0\r\nEND\r\n"};
	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		mcp_answer answer = read_text(lines[i]);
		assert_int_equal(MCP_ANSWER_NONSENSE, answer.kind);
		assert_true(answer.cas == 0 && answer.number == 0 && answer.flags == 0);
		assert_int_equal(0, answer.key.length + answer.value.length);
		assert_true(answer.line.length < strlen(lines[i]));
	}
}

TEST(a_line_without_end_is_nonsense_in_time) {
	static char line[3 * MCP_ANSWER_LINE_MAX];
	mcp_answer answer;
	memset(line, 'x', sizeof(line));
	mcp_answer_read(mcp_bytes_of(line, MCP_ANSWER_LINE_MAX - 1), &answer);
	assert_int_equal(MCP_ANSWER_INCOMPLETE, answer.kind);
	mcp_answer_read(mcp_bytes_of(line, sizeof(line)), &answer);
	assert_int_equal(MCP_ANSWER_NONSENSE, answer.kind);
	assert_int_equal(MCP_ANSWER_LINE_MAX, answer.line.length);
}
