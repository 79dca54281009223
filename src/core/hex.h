/* Bytes and 64-bit numbers in lower-case hexadecimal. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_HEX_H
#define MCP_CORE_HEX_H

#include "words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Write 8 digits at once: each nibble becomes a byte, the highest one first. */
static inline void mcp_hex_write_u32(uint32_t number, char *out) {
	uint64_t halves = number >> 16 | (uint64_t)(number & 0xffffu) << 32;
	halves = (halves >> 8 & 0x000000ff000000ffu) | (halves & 0x000000ff000000ffu) << 16;
	halves = (halves >> 4 & 0x000f000f000f000fu) | (halves & 0x000f000f000f000fu) << 8;
	/* Adding 6 carries from 10 on. */
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

#endif
