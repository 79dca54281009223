/* Holds the FastLZ reader to blocks written by hand, and to never reading or
 * writing outside its buffers whatever the block says (under sanitizers). */
/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/fastlz.h"

/* Expands into a buffer of exactly this length, so that a byte more is seen. */
static bool expand(const void *block, size_t block_length, char *expected, size_t length) {
	char *copy = malloc(block_length + (block_length == 0));
	char *out = malloc(length + (length == 0));
	assert_non_null(copy);
	assert_non_null(out);
	memcpy(copy, block, block_length);
	bool is_intact = mcp_fastlz_expand(mcp_bytes_of(copy, block_length), out, length);
	assert_int_equal(is_intact, mcp_fastlz_becomes(mcp_bytes_of(copy, block_length), length));
	if (is_intact && expected != NULL) {
		assert_memory_equal(expected, out, length);
	}
	free(copy);
	free(out);
	return is_intact;
}

TEST(literals_are_copied) {
	assert_true(expand("\x04hello", 6, "hello", 5));
	assert_true(expand("\x24hello", 6, "hello", 5));
	assert_true(expand("\x01he\x02llo", 7, "hello", 5));
}

TEST(matches_may_overlap_what_they_write) {
	/* A match of 3 to 8 bytes: length in the upper three bits, plus 2; distance in the rest, plus 1. */
	assert_true(expand("\x00"
					   "a\x20\x00",
		4, "aaaa", 4));
	assert_true(expand("\x01"
					   "ab\x60\x01",
		5, "abababa", 7));
	/* A long one: all three bits set, and a byte more of length. */
	char expected[1 + 7 + 2 + 200];
	memset(expected, 'a', sizeof(expected));
	assert_true(expand("\x00"
					   "a\xe0\xc8\x00",
		5, expected, sizeof(expected)));
	/* Level 2: as many bytes of length as are 255. */
	char longer[1 + 7 + 2 + 255 + 10];
	memset(longer, 'a', sizeof(longer));
	assert_true(expand("\x20"
					   "a\xe0\xff\x0a\x00",
		6, longer, sizeof(longer)));
}

TEST(level_two_reaches_far_back) {
	enum { FIRST = 9000, LENGTH = FIRST + 3 };
	char *block = malloc(2 * FIRST);
	char *expected = malloc(LENGTH);
	size_t at = 0;
	for (size_t i = 0; i < FIRST; i++) {
		if (i % 30 == 0) {
			block[at++] = (char)(29 | (i == 0 ? 0x20 : 0));
		}
		block[at++] = expected[i] = (char)('a' + i % 26 + i / 2600);
	}
	/* From 9,000 bytes back: the distance's 13 bits all set, then 16 more. */
	size_t far = FIRST - 8191 - 1;
	memcpy(&block[at], "\x3f\xff", 2);
	block[at + 2] = (char)(far >> 8);
	block[at + 3] = (char)far;
	memcpy(&expected[FIRST], expected, 3);
	assert_true(expand(block, at + 4, expected, LENGTH));
	free(block);
	free(expected);
}

TEST(damaged_blocks_are_refused) {
	assert_false(expand("", 0, NULL, 0));
	assert_false(expand("", 0, NULL, 5));
	assert_false(expand("\x04hell", 5, NULL, 5));  /* literals cut off */
	assert_false(expand("\x04hello", 6, NULL, 4)); /* more than there is room for */
	assert_false(expand("\x04hello", 6, NULL, 6)); /* less than was said */
	assert_false(expand("\x44hello", 6, NULL, 5)); /* a level that is none */
	assert_false(expand("\x00"
						"a\x20\x01",
		4, NULL, 4)); /* from before the beginning */
	assert_false(expand("\x00"
						"a\x20",
		3, NULL, 4)); /* no distance */
	assert_false(expand("\x00"
						"a\xe0",
		3, NULL, 20)); /* no length */
	assert_false(expand("\x20"
						"a\xe0\xff\xff\xff",
		6, NULL, 2000)); /* length without an end */
}

static uint64_t random_number(uint64_t *seed) {
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

TEST(no_block_makes_it_leave_its_buffers) {
	uint64_t seed = 88172645463325252ull;
	char block[64];
	int intact = 0;
	for (int i = 0; i < 200000; i++) {
		size_t length = random_number(&seed) % sizeof(block);
		for (size_t k = 0; k < length; k++) {
			block[k] = (char)random_number(&seed);
		}
		if (length > 0) {
			block[0] = (char)(block[0] & 0x3f);
		}
		intact += expand(block, length, NULL, random_number(&seed) % 300);
	}
	assert_true(intact > 0);
}
