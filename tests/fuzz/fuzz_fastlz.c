/* Feeds the FastLZ reader arbitrary blocks and holds it to a second reading of the format, which knows
 * no hurry: what is intact becomes what the format says, and nothing else passes. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/fastlz.h"

#define DAMAGED SIZE_MAX
#define FAR 8192 /* from here back a match of level 2 has two bytes more */

/* Measures the bytes that a match of this block has, and how far back it lies; `at` goes past it. False if it
 * ends early. */
static bool measure_match(const uint8_t *block, size_t size, size_t *at, size_t *count,
	size_t *back) {
	bool has_long_forms = block[0] >> 5 == 1;
	uint8_t instruction = block[*at - 1], part = instruction >> 5 == 7 ? UINT8_MAX : 0;
	*count = (instruction >> 5) + 2u;
	for (bool is_first = true; part == UINT8_MAX && (is_first || has_long_forms);
		 is_first = false) {
		if (*at == size) {
			return false;
		}
		part = block[(*at)++];
		*count += part;
	}
	if (*at == size) {
		return false;
	}
	*back = (instruction & 31u) * 256 + block[(*at)++] + 1;
	if (has_long_forms && *back == FAR) {
		if (size - *at < 2) {
			return false;
		}
		*back += block[*at] * 256u + block[*at + 1];
		*at += 2;
	}
	return true;
}

/* Measures how long the block says that its contents are, or returns DAMAGED; and writes them, where `out` has
 * room for them. */
static size_t measure(const uint8_t *block, size_t size, char *out) {
	size_t length = 0, at = 0;
	if (size == 0 || block[0] >> 5 > 1) {
		return DAMAGED;
	}
	while (at < size) {
		size_t count, back = 0;
		uint8_t instruction = at == 0 ? block[0] & 31 : block[at];
		at++;
		if (instruction < 32) {
			count = instruction + 1u;
			if (count > size - at) {
				return DAMAGED;
			}
			at += count;
		} else if (!measure_match(block, size, &at, &count, &back)) {
			return DAMAGED;
		}
		if (back > length) {
			return DAMAGED;
		}
		for (size_t i = 0; out != NULL && i < count; i++) {
			out[length + i] = back > 0 ? out[length + i - back] : (char)block[at - count + i];
		}
		length += count;
	}
	return length;
}

/* Expands into a heap block of exactly this length, so that a sanitizer sees a byte more. */
static bool expand(const uint8_t *block, size_t size, size_t length, char **out) {
	*out = malloc(length > 0 ? length : 1);
	require(*out != NULL);
	return mcp_fastlz_expand(mcp_bytes_of((const char *)block, size), *out, length);
}

static void require_refused(const uint8_t *block, size_t size, size_t length) {
	char *out;
	require(!expand(block, size, length, &out));
	free(out);
}

static void require_expanded(const uint8_t *block, size_t size, size_t length) {
	char *out, *expected = malloc(length);
	require(expected != NULL);
	measure(block, size, expected);
	require(expand(block, size, length, &out));
	require(memcmp(out, expected, length) == 0);
	free(out);
	free(expected);
}

/* Requires that the bytes as runs of literals become themselves. */
static void require_literals(const uint8_t *data, size_t size) {
	uint8_t *block = malloc(size + size / 32 + 1);
	size_t length = 0;
	require(block != NULL);
	for (size_t at = 0; at < size; at += 32) {
		size_t run = size - at < 32 ? size - at : 32;
		block[length++] = (uint8_t)(run - 1);
		memcpy(block + length, data + at, run);
		length += run;
	}
	char *out;
	require(expand(block, length, size, &out) == (size > 0));
	require(size == 0 || memcmp(out, data, size) == 0);
	free(out);
	free(block);
}

/* Makes a match of level 2 reach beyond FAR, where the block is long enough for one. */
static bool reach_far(uint8_t *block, size_t size, size_t at, size_t length) {
	if (block[0] >> 5 != 1 || length <= FAR || block[at] >> 5 == 7 || size - at < 4) {
		return false;
	}
	block[at] |= 31;
	block[at + 1] = UINT8_MAX;
	block[at + 2] = (uint8_t)(block[at + 2] % ((length - FAR) / 256 + 1));
	return true;
}

/* Leaves a block as it is but for matches of what is not there yet and runs that are too long: so that more
 * than its beginning is read. `spare`: matches may begin so far before the beginning. */
static void put_right(uint8_t *block, size_t size, size_t spare) {
	size_t length = 0, at = 0;
	block[0] &= 0x3F;
	while (at < size) {
		uint8_t *instruction = &block[at];
		size_t count, back, left = size - ++at;
		if (at == 1 || *instruction < 32) {
			count = (*instruction & 31) + 1u;
			if (count > left) {
				*instruction = (uint8_t)((*instruction & 0xE0) | (left > 0 ? left - 1 : 0));
				return;
			}
			at += count;
		} else if ((*instruction & 1) != 0 && reach_far(block, size, at - 1, length)) {
			measure_match(block, size, &at, &count, &back);
		} else {
			*instruction &= 0xE0;
			if (!measure_match(block, size, &at, &count, &back)) {
				return;
			}
			block[at - 1] =
				(uint8_t)(block[at - 1] % (length + spare < 256 ? length + spare : 256));
		}
		length += count;
	}
}

static void require_block(const uint8_t *data, size_t size) {
	size_t length = measure(data, size, NULL);
	if (length == DAMAGED) {
		require_refused(data, size, size * 3);
	} else {
		require_expanded(data, size, length);
		require_refused(data, size, length + 1);
		require_refused(data, size, length - 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	require_block(data, size);
	require_literals(data, size);
	if (size > 0) {
		uint8_t *block = malloc(size);
		require(block != NULL);
		memcpy(block, data, size);
		put_right(block, size, data[size - 1] % 8 == 0);
		require_block(block, size);
		free(block);
	}
	return 0;
}
