/* Short runs of bytes by whole words, where calls into the C library would cost more than the work: for what is done
 * once or more in every hit. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_WORDS_H
#define MCP_CORE_WORDS_H

#include "little_endian.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Loads it as it stands in memory: for comparing and copying. */
static inline uint64_t mcp_word(const char *from) {
	uint64_t word;
	memcpy(&word, from, sizeof(word));
	return word;
}

static inline uint32_t mcp_half_word(const char *from) {
	uint32_t word;
	memcpy(&word, from, sizeof(word));
	return word;
}

/* Says whether these are the same bytes; reads none beyond them, but some of them twice. */
static inline bool mcp_words_equal(const char *a, const char *b, size_t length) {
	if (length >= sizeof(uint64_t)) {
		const char *last = a + length - sizeof(uint64_t);
		uint64_t differing = mcp_word(last) ^ mcp_word(b + length - sizeof(uint64_t));
		for (; a < last; a += sizeof(uint64_t), b += sizeof(uint64_t)) {
			differing |= mcp_word(a) ^ mcp_word(b);
		}
		return differing == 0;
	}
	if (length >= sizeof(uint32_t)) {
		size_t last = length - sizeof(uint32_t);
		uint32_t differing = mcp_half_word(a) ^ mcp_half_word(b);
		return (differing | (mcp_half_word(a + last) ^ mcp_half_word(b + last))) == 0;
	}
	if (length == 0) {
		return true;
	}
	size_t middle = length / 2;
	return a[0] == b[0] && a[middle] == b[middle] && a[length - 1] == b[length - 1];
}

/* Does what memcpy does, of what is mostly short. Returns where the copy ends. */
static inline char *mcp_words_copy(char *to, const char *from, size_t length) {
	char *end = to + length;
	if (length > 2 * sizeof(uint64_t)) {
		memcpy(to, from, length);
	} else if (length >= sizeof(uint64_t)) {
		uint64_t first = mcp_word(from);
		uint64_t last = mcp_word(from + length - sizeof(last));
		memcpy(to, &first, sizeof(first));
		memcpy(end - sizeof(last), &last, sizeof(last));
	} else if (length >= sizeof(uint32_t)) {
		uint32_t first = mcp_half_word(from);
		uint32_t last = mcp_half_word(from + length - sizeof(last));
		memcpy(to, &first, sizeof(first));
		memcpy(end - sizeof(last), &last, sizeof(last));
	} else if (length > 0) {
		char first = from[0];
		char middle = from[length / 2];
		char last = from[length - 1];
		to[0] = first;
		to[length / 2] = middle;
		end[-1] = last;
	}
	return end;
}

#define MCP_DIGITS_READ 8

/* Up to eight digits from the first byte of a word on. */
typedef struct mcp_digits {
	uint64_t number;
	unsigned count; /* MCP_DIGITS_READ: there may be more behind it */
} mcp_digits;

/* Returns the place of the lowest bit that is set; there is one. */
static inline unsigned mcp_lowest_bit(uint64_t word) {
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(word);
#else
	unsigned bit = 0;
	while ((word >> bit & 1) == 0) {
		bit++;
	}
	return bit;
#endif
}

/* Sums up eight digits, which are bytes of the values 0 to 9, the first one lowest: pairs, then fours, then all, each
 * step in one multiplication. */
static inline uint64_t mcp_digits_sum(uint64_t digits) {
	digits = (digits * (1 + (10u << 8)) >> 8) & 0x00FF00FF00FF00FFu;
	digits = (digits * (1 + (100u << 16)) >> 16) & 0x0000FFFF0000FFFFu;
	return digits * (1 + ((uint64_t)10000 << 32)) >> 32;
}

/* Reads eight bytes. A byte that is no digit ends the number: it gets its top bit set, by the addition or having it
 * already; what that carries over goes to later bytes, which no longer matter. */
static inline mcp_digits mcp_digits_read(const char *from) {
	uint64_t values = mcp_load_u64((const unsigned char *)from) ^ 0x3030303030303030u;
	uint64_t others = ((values + 0x7676767676767676u) | values) & 0x8080808080808080u;
	if (others == 0) {
		return (mcp_digits){mcp_digits_sum(values), MCP_DIGITS_READ};
	}
	/* The top one of the first other byte; zeroes go before what there is. */
	unsigned bit = mcp_lowest_bit(others);
	return (mcp_digits){mcp_digits_sum(values << 8 << (63 - bit)), bit / 8};
}

/* Puts these digits behind those of `number`. */
static inline uint64_t mcp_digits_append(uint64_t number, mcp_digits digits) {
	static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000};
	return number * powers[digits.count] + digits.number;
}

#endif
