/* Bytes and 64-bit numbers in hexadecimal, lower case. Nothing else writes or reads hex digits. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_HEX_H
#define MCP_CORE_HEX_H

#include "little_endian.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The digits of a 64-bit number, zeros before it included. */
#define MCP_HEX_U64_LENGTH 16

/* Writes two digits for each byte; no terminating NUL. */
static inline void mcp_hex_write(const unsigned char *bytes, size_t length, char *out) {
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < length; i++) {
		out[2 * i] = digits[bytes[i] >> 4];
		out[2 * i + 1] = digits[bytes[i] & 0x0F];
	}
}

/* Writes eight digits, all at once: each half of a byte becomes a byte, the highest one the first. */
static inline void mcp_hex_write_u32(uint32_t number, char *out) {
	uint64_t halves = number >> 16 | (uint64_t)(number & 0xffffu) << 32;
	halves = (halves >> 8 & 0x000000ff000000ffu) | (halves & 0x000000ff000000ffu) << 16;
	halves = (halves >> 4 & 0x000f000f000f000fu) | (halves & 0x000f000f000f000fu) << 8;
	/* Six more carry from ten on. */
	uint64_t letters = (halves + 0x0606060606060606u) >> 4 & 0x0101010101010101u;
	mcp_store_u64((unsigned char *)out, halves + 0x3030303030303030u + letters * ('a' - '0' - 10));
}

/* Writes the most significant digit first; returns MCP_HEX_U64_LENGTH. */
static inline size_t mcp_hex_write_u64(uint64_t number, char *out) {
	for (size_t i = 0; i < MCP_HEX_U64_LENGTH; i += MCP_HEX_U64_LENGTH / 2) {
		mcp_hex_write_u32((uint32_t)(number >> 32), out + i);
		number <<= 32;
	}
	return MCP_HEX_U64_LENGTH;
}

/* Reads MCP_HEX_U64_LENGTH digits as they are written; false if they are none. */
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
