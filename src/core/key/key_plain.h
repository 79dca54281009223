/* Whether bytes may be sent as a key, and say nothing that only a mapped key says: a word at a time for nearly all keys,
 * byte by byte for the rest. Private to key.c. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_KEY_PLAIN_H
#define MCP_CORE_KEY_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool mcp_key_plain_is_unsafe(unsigned char byte) {
	return byte <= 0x20 || byte == 0x7f;
}

/* Sets the top bit of each byte that is none of <= 0x20, 0x7e ('~') and 0x7f. The lower seven bits are judged
 * apart from it, so nothing carries into the next byte or borrows from it. */
static inline uint64_t mcp_key_plain_bits_of(uint64_t word) {
	uint64_t low_bits = word & 0x7f7f7f7f7f7f7f7fu;
	uint64_t above_space = low_bits + 0x5f5f5f5f5f5f5f5fu;
	uint64_t below_tilde = 0xfdfdfdfdfdfdfdfdu - low_bits;
	return word | (above_space & below_tilde);
}

static inline bool mcp_key_plain_are_all(uint64_t bits) {
	return (~bits & 0x8080808080808080u) == 0;
}

static inline uint64_t mcp_key_plain_bits(const char *bytes) {
	uint64_t word;
	memcpy(&word, bytes, sizeof(word));
	return mcp_key_plain_bits_of(word);
}

/* Loads all bytes of less than a word, some of them twice: which there are is all that is asked. */
static inline uint64_t mcp_key_plain_short_word(const char *bytes, size_t length) {
	if (length >= sizeof(uint32_t)) {
		uint32_t first, last;
		memcpy(&first, bytes, sizeof(first));
		memcpy(&last, bytes + length - sizeof(last), sizeof(last));
		return (uint64_t)last << 32 | first;
	}
	uint64_t first = (unsigned char)bytes[0];
	uint64_t middle = (unsigned char)bytes[length / 2];
	uint64_t last = (unsigned char)bytes[length - 1];
	return first * 0x0101010101000000u | middle << 8 | last << 16 | first;
}

/* Answers fast for nearly all keys: false only says that a byte-wise look is needed. */
static inline bool mcp_key_plain_is_sure(const char *bytes, size_t length) {
	if (length < sizeof(uint64_t)) {
		return length > 0 &&
			mcp_key_plain_are_all(mcp_key_plain_bits_of(mcp_key_plain_short_word(bytes, length)));
	}
	const char *last = bytes + length - sizeof(uint64_t);
	uint64_t plain = mcp_key_plain_bits(last);
	for (; bytes < last; bytes += sizeof(uint64_t)) {
		plain &= mcp_key_plain_bits(bytes);
	}
	return mcp_key_plain_are_all(plain);
}

static inline bool mcp_key_plain_has_unsafe(const char *bytes, size_t length) {
	for (size_t i = 0; i < length; i++) {
		if (mcp_key_plain_is_unsafe((unsigned char)bytes[i])) {
			return true;
		}
	}
	return false;
}

#endif
