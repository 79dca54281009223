/* Bytes: borrowed views, words, numbers in decimal and hexadecimal. A view owns nothing: the function that returns a
 * view documents the view's lifetime. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BYTES_H
#define MCP_CORE_BYTES_H

#include "compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 2^64 divided by the golden ratio. A multiplication by it spreads numbers, and is reversible, because it is odd. */
#define MCP_GOLDEN_FACTOR 0x9e3779b97f4a7c15u

typedef struct mcp_bytes {
	const char *data;
	size_t length;
} mcp_bytes;

static inline mcp_bytes mcp_bytes_of(const char *data, size_t length) {
	return (mcp_bytes){data, length};
}

static inline mcp_bytes mcp_bytes_none(void) {
	return (mcp_bytes){NULL, 0};
}

static inline bool mcp_bytes_equal(mcp_bytes a, mcp_bytes b) {
	return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

static inline mcp_bytes mcp_bytes_text(const char *text) {
	return mcp_bytes_of(text, strlen(text));
}

static inline bool mcp_bytes_are(mcp_bytes bytes, const char *text) {
	return mcp_bytes_equal(bytes, mcp_bytes_text(text));
}

/* Takes the bytes before the first `separator`, and removes both from *rest. If there is no separator, takes all bytes
 * and returns false. */
static inline bool mcp_bytes_take_until(mcp_bytes *rest, char separator, mcp_bytes *taken) {
	const char *found = rest->length > 0 ? memchr(rest->data, separator, rest->length) : NULL;
	*taken = *rest;
	rest->length = 0;
	if (found != NULL) {
		size_t length = (size_t)(found - taken->data);
		*rest = mcp_bytes_of(found + 1, taken->length - length - 1);
		taken->length = length;
	}
	return found != NULL;
}

/* Little-endian numbers of stored items, at any address. Also comparison, copy and parsing of short byte strings in
 * whole words, which is faster than calls of the C library in the path of every hit. */

/* Shifts are independent of alignment and byte order, and compilers turn them into one load. */
static inline uint64_t mcp_load_u64(const unsigned char *from) {
	return (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 |
		(uint64_t)from[3] << 24 | (uint64_t)from[4] << 32 | (uint64_t)from[5] << 40 |
		(uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
}

static inline uint32_t mcp_load_u32(const unsigned char *from) {
	return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
		(uint32_t)from[3] << 24;
}

static inline uint16_t mcp_load_u16(const unsigned char *from) {
	return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint64_t mcp_load_u48(const unsigned char *from) {
	return (uint64_t)mcp_load_u32(from) | (uint64_t)mcp_load_u16(from + 4) << 32;
}

/* Stores without a loop, which compilers merge into one store. */
static inline unsigned char *mcp_store_u16(unsigned char *to, uint16_t value) {
	to[0] = (unsigned char)value;
	to[1] = (unsigned char)(value >> 8);
	return to + 2;
}

static inline unsigned char *mcp_store_u32(unsigned char *to, uint32_t value) {
	to[0] = (unsigned char)value;
	to[1] = (unsigned char)(value >> 8);
	to[2] = (unsigned char)(value >> 16);
	to[3] = (unsigned char)(value >> 24);
	return to + 4;
}

static inline unsigned char *mcp_store_u64(unsigned char *to, uint64_t value) {
	mcp_store_u32(to, (uint32_t)value);
	mcp_store_u32(to + 4, (uint32_t)(value >> 32));
	return to + 8;
}

/* Stores the lower 48 bits. */
static inline unsigned char *mcp_store_u48(unsigned char *to, uint64_t value) {
	mcp_store_u32(to, (uint32_t)value);
	mcp_store_u16(to + 4, (uint16_t)(value >> 32));
	return to + 6;
}

/* A word in memory order, only for comparison and copy. */
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

/* Compare without reading beyond the bytes. Some bytes are read twice. */
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

/* memcpy for mostly short lengths. Returns the end of the copy. */
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

/* Up to 8 digits from the start of a word. */
typedef struct mcp_digits {
	uint64_t number;
	unsigned count; /* MCP_DIGITS_READ: more can follow */
} mcp_digits;

/* Number of significant bits. */
static inline unsigned mcp_width_of(uint64_t number) {
#ifdef _WIN32
	unsigned long highest;
	return _BitScanReverse64(&highest, number) ? (unsigned)highest + 1 : 0;
#else
	return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
#endif
}

/* Position of the lowest set bit; `word` must not be 0. */
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

/* Compute the number of 8 digits (bytes of 0 to 9, the first digit in the lowest byte): pairs, fours, then all, with
 * one multiplication per step. */
static inline uint64_t mcp_digits_sum(uint64_t digits) {
	digits = (digits * (1 + (10u << 8)) >> 8) & 0x00FF00FF00FF00FFu;
	digits = (digits * (1 + (100u << 16)) >> 16) & 0x0000FFFF0000FFFFu;
	return digits * (1 + ((uint64_t)10000 << 32)) >> 32;
}

/* Parse 8 bytes. A byte that is not a digit ends the number: its top bit is set, either by the addition or before it. A
 * carry affects only later bytes, which are ignored. */
static inline mcp_digits mcp_digits_read(const char *from) {
	uint64_t values = mcp_load_u64((const unsigned char *)from) ^ 0x3030303030303030u;
	uint64_t others = ((values + 0x7676767676767676u) | values) & 0x8080808080808080u;
	if (others == 0) {
		return (mcp_digits){mcp_digits_sum(values), MCP_DIGITS_READ};
	}
	/* Find the top bit of the first byte that is not a digit. Shift in zeros before the digits. */
	unsigned bit = mcp_lowest_bit(others);
	return (mcp_digits){mcp_digits_sum(values << 8 << (63 - bit)), bit / 8};
}

/* Append these digits to `number`. */
static inline uint64_t mcp_digits_append(uint64_t number, mcp_digits digits) {
	static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000};
	return number * powers[digits.count] + digits.number;
}

/* Bytes and 64-bit numbers in lower-case hexadecimal. */

/* Digits of a 64-bit number, with leading zeros. */
#define MCP_HEX_U64_LENGTH 16

/* Write two digits per byte, without a terminating NUL. */
static inline void mcp_hex_write(const unsigned char *bytes, size_t length, char *out) {
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < length; i++) {
		out[2 * i] = digits[bytes[i] >> 4];
		out[2 * i + 1] = digits[bytes[i] & 0x0F];
	}
}

/* Write 8 digits in one step: each nibble becomes a byte, the highest nibble first. */
static inline void mcp_hex_write_u32(uint32_t number, char *out) {
	uint64_t halves = number >> 16 | (uint64_t)(number & 0xffffu) << 32;
	halves = (halves >> 8 & 0x000000ff000000ffu) | (halves & 0x000000ff000000ffu) << 16;
	halves = (halves >> 4 & 0x000f000f000f000fu) | (halves & 0x000f000f000f000fu) << 8;
	/* Adding 6 to a nibble carries if the nibble is 10 or more. */
	uint64_t letters = (halves + 0x0606060606060606u) >> 4 & 0x0101010101010101u;
	mcp_store_u64((unsigned char *)out, halves + 0x3030303030303030u + letters * ('a' - '0' - 10));
}

/* Most significant digit first; returns MCP_HEX_U64_LENGTH. */
static inline size_t mcp_hex_write_u64(uint64_t number, char *out) {
	for (size_t i = 0; i < MCP_HEX_U64_LENGTH; i += MCP_HEX_U64_LENGTH / 2) {
		mcp_hex_write_u32((uint32_t)(number >> 32), out + i);
		number <<= 32;
	}
	return MCP_HEX_U64_LENGTH;
}

/* Read MCP_HEX_U64_LENGTH lower-case digits. Returns false for other bytes. */
static inline bool mcp_hex_read_u64(const char *digits, uint64_t *number) {
	*number = 0;
	for (size_t i = 0; i < MCP_HEX_U64_LENGTH; i++) {
		char digit = digits[i];
		bool is_decimal = digit >= '0' && digit <= '9';
		if (!is_decimal && !(digit >= 'a' && digit <= 'f')) {
			return false;
		}
		*number = *number << 4 | (uint64_t)(is_decimal ? digit - '0' : digit - 'a' + 10);
	}
	return true;
}

/* Decimal numbers in the format of memcached and PHP. A padded number ("9 " after a decr) is accepted;
 * "1.5", "+1" and "7x" are not. */

/* Buffer size for any int64 with its sign and any uint64. Without a terminating NUL. */
#define MCP_DECIMAL_MAX_LENGTH 20

static inline bool mcp_is_digit(char letter) {
	return (unsigned char)(letter - '0') <= 9;
}

/* Remove the trailing spaces that a decr leaves when a number becomes shorter. */
mcp_bytes mcp_decimal_trim(mcp_bytes text);

/* Parse all of `text`: digits, with '-' before a negative number, and optional trailing spaces. Returns false if `text`
 * is malformed or the number does not fit. "-0" is malformed. */
bool mcp_decimal_parse_i64(mcp_bytes text, int64_t *number);
bool mcp_decimal_parse_u64(mcp_bytes text, uint64_t *number);

/* Parse the digits from `start` and return their end. Returns `start` if there are no digits or the number does not
 * fit; *number is then undefined. */
const char *mcp_decimal_scan_u64(const char *start, const char *end, uint64_t *number);

/* Write the number to `out`, which must have MCP_DECIMAL_MAX_LENGTH bytes. Returns the length. */
size_t mcp_decimal_format_i64(int64_t number, char *out);
size_t mcp_decimal_format_u64(uint64_t number, char *out);

/* Returns false if the sum overflows; *sum is then unchanged. */
bool mcp_decimal_add(int64_t a, int64_t b, int64_t *sum);

#endif
