/* Holds the reader of hits to the reader of answers: what it takes is what that one finds, and all that comes in
 * ordinary answers it takes. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/protocol/answer.h"
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define VALUE "forty bytes at least, as every envelope has them"

/* The bytes that have arrived, in a block of exactly their length. */
typedef struct arrival {
	mcp_bytes bytes;
	char *block;
} arrival;

static arrival arrive(const char *text) {
	size_t length = strlen(text);
	char *block = malloc(length);
	assert_non_null(block);
	memcpy(block, text, length);
	return (arrival){mcp_bytes_of(block, length), block};
}

static bool read_text(const char *text, const char *key, mcp_answer_hit *hit) {
	arrival arrived = arrive(text);
	bool is_hit = mcp_answer_hit_read(arrived.bytes, mcp_bytes_text(key), hit);
	if (is_hit) {
		mcp_answer answer;
		mcp_answer_read(arrived.bytes, &answer);
		assert_int_equal(MCP_ANSWER_VALUE, answer.kind);
		assert_ptr_equal(answer.value.data, hit->value.data);
		assert_int_equal(answer.value.length, hit->value.length);
		assert_int_equal(answer.flags, hit->flags);
		assert_true(answer.cas == hit->cas);
		assert_int_equal(answer.length + 5, arrived.bytes.length);
	}
	free(arrived.block);
	return is_hit;
}

/* Reads an answer of the key with these three numbers, of which the second one is not believed. */
static bool read_numbers(const char *key, const char *flags, const char *length, const char *cas,
	mcp_answer_hit *hit) {
	char text[1024];
	snprintf(text, sizeof(text), "VALUE %s %s %s %s\r\n" VALUE "\r\nEND\r\n", key, flags, length,
		cas);
	return read_text(text, key, hit);
}

TEST(keys_of_all_lengths_are_compared_to_their_last_byte) {
	char key[251];
	for (size_t length = 1; length <= 250; length++) {
		memset(key, 'k', length);
		key[length] = '\0';
		mcp_answer_hit hit;
		assert_true(read_numbers(key, "65536", "48", "5", &hit));
		assert_int_equal(48, hit.value.length);
		char text[1024];
		for (size_t other = 0; other < length; other++) {
			snprintf(text, sizeof(text), "VALUE %s 65536 48 5\r\n" VALUE "\r\nEND\r\n", key);
			text[6 + other] = 'j';
			assert_false(read_text(text, key, &hit));
		}
	}
}

TEST(numbers_of_all_lengths_are_read) {
	static const char digits[] = "9876543219876543";
	mcp_answer_hit hit;
	for (size_t length = 1; length < sizeof(digits); length++) {
		char number[sizeof(digits)];
		snprintf(number, sizeof(number), "%.*s", (int)length, digits);
		assert_true(read_numbers("key", "65536", "48", number, &hit));
		assert_true(hit.cas == strtoull(number, NULL, 10));
		bool fits = strtoull(number, NULL, 10) <= UINT32_MAX;
		assert_int_equal(fits, read_numbers("key", number, "48", "5", &hit));
		assert_true(!fits || hit.flags == strtoul(number, NULL, 10));
	}
	assert_true(read_numbers("key", "0", "00000048", "0", &hit));
	assert_int_equal(48, hit.value.length);
}

/* Nothing follows it in its answer: it is the shortest that is read often. */
TEST(the_number_of_a_tag_is_read) {
	static const char *const cas_ids[] = {"7", "12345678", "123456789", "1234567890123456"};
	mcp_answer_hit hit;
	for (size_t i = 0; i < COUNT_OF(cas_ids); i++) {
		char text[128];
		snprintf(text, sizeof(text), "VALUE tag:0011 0 19 %s\r\n4611686018427387904\r\nEND\r\n",
			cas_ids[i]);
		assert_true(read_text(text, "tag:0011", &hit));
		assert_true(hit.cas == strtoull(cas_ids[i], NULL, 10));
	}
}

TEST(flags_of_all_32_bits_are_read) {
	mcp_answer_hit hit;
	assert_true(read_numbers("key", "1073741823", "48", "5", &hit));
	assert_true(hit.flags == 1073741823);
	assert_true(read_numbers("key", "4294967295", "48", "5", &hit));
	assert_true(hit.flags == UINT32_MAX);
	assert_false(read_numbers("key", "4294967296", "48", "5", &hit));
}

TEST(every_byte_but_a_digit_ends_a_number) {
	mcp_answer_hit hit;
	for (int byte = 1; byte < 256; byte++) {
		bool is_digit = byte >= '0' && byte <= '9';
		for (size_t at = 0; at < 5; at++) {
			char number[] = "11111";
			number[at] = (char)byte;
			assert_int_equal(is_digit, read_numbers("key", number, "48", "5", &hit));
			assert_int_equal(is_digit, read_numbers("key", "5", "48", number, &hit));
		}
	}
}

TEST(values_may_look_like_answers) {
	mcp_answer_hit hit;
	assert_true(read_text("VALUE k 0 35 9\r\nVALUE k 0 0 7\r\n\r\nEND\r\nVALUE !!!!!!!\r\nEND\r\n",
		"k", &hit));
	assert_true(hit.cas == 9);
	assert_true(read_text(
		"VALUE k 0 40 9\r\n\r\nEND\r\n\r\nEND\r\n\r\nEND\r\n\r\nEND\r\n\r\nEND\r\n12345\r\nEND\r\n",
		"k", &hit));
}

TEST(whatever_is_not_all_of_one_item_is_left) {
	static const char *const texts[] = {"END\r\n", "VALUE key 0 48 9\r\n" VALUE "\r\nEND\r\n!",
		"VALUE key 0 48 9\r\n" VALUE "\r\nEND\r\nEND\r\n",
		"VALUE key 0 47 9\r\n" VALUE "\r\nEND\r\n", "VALUE key 0 49 9\r\n" VALUE "\r\nEND\r\n",
		"VALUE key 0 48\r\n" VALUE "\r\nEND\r\n", "VALUE key 0 48 9 \r\n" VALUE "\r\nEND\r\n",
		"VALUE key 0 48 9\n" VALUE "\r\nEND\r\n", "VALUE key 0  48 9\r\n" VALUE "\r\nEND\r\n",
		"VALUE key  0 48 9\r\n" VALUE "\r\nEND\r\n", "VALUE key 0 -48 9\r\n" VALUE "\r\nEND\r\n",
		"VALUE key 0 48 12345678901234567\r\n" VALUE "\r\nEND\r\n",
		"VALUE keys 0 48 9\r\n" VALUE "\r\nEND\r\n", "VALUE ke 0 48 9\r\n" VALUE "\r\nEND\r\n",
		"value key 0 48 9\r\n" VALUE "\r\nEND\r\n", "VALUE key 0 48 9\r\n" VALUE "\r\nend\r\n",
		"VALUE key 0 48 9\r\n" VALUE "\n\nEND\r\n"};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		mcp_answer_hit hit;
		assert_false(read_text(texts[i], "key", &hit));
	}
}

/* The block ends where what has arrived does: a sanitizer sees what is read beyond it. */
TEST(nothing_is_read_behind_what_has_arrived) {
	static const char *const texts[] = {"VALUE key 65536 48 12345678\r\n" VALUE "\r\nEND\r\n",
		"VALUE key 4294967295 19 1234567890123456\r\n4611686018427387904\r\nEND\r\n"};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		mcp_answer_hit hit;
		for (size_t length = 1; length < strlen(texts[i]); length++) {
			char cut[128];
			snprintf(cut, length + 1, "%s", texts[i]);
			assert_false(read_text(cut, "key", &hit));
		}
		assert_true(read_text(texts[i], "key", &hit));
	}
}

/* An answer may have several items: each is left until it is there. */
TEST(the_first_of_many_is_read_alone) {
	static const char text[] =
		"VALUE key 65536 48 12345678\r\n" VALUE "\r\nVALUE other 1 48 9\r\n" VALUE "\r\nEND\r\n";
	const size_t first = sizeof("VALUE key 65536 48 12345678\r\n" VALUE "\r\n") - 1;
	for (size_t length = 1; length < sizeof(text); length++) {
		char cut[sizeof(text)];
		snprintf(cut, length + 1, "%s", text);
		arrival arrived = arrive(cut);
		mcp_answer_hit hit;
		size_t read = mcp_answer_hit_first(arrived.bytes, mcp_bytes_of("key", 3), &hit);
		assert_int_equal(length < first ? 0 : first, read);
		if (read > 0) {
			assert_ptr_equal(arrived.block + first - 2 - 48, hit.value.data);
			assert_int_equal(48, hit.value.length);
			assert_int_equal(65536, hit.flags);
			assert_int_equal(12345678, hit.cas);
		}
		assert_int_equal(0, mcp_answer_hit_first(arrived.bytes, mcp_bytes_of("other", 5), &hit));
		free(arrived.block);
	}
}
