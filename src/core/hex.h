/* Bytes and 64-bit numbers in hexadecimal, lower case. Nothing else writes or reads hex digits. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_HEX_H
#define MCP_CORE_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a 64-bit number, zeros before it included. */
#define MCP_HEX_U64_LENGTH 16

/* Two digits for each byte; no terminating NUL. */
static inline void mcp_hex_write(const unsigned char *bytes, size_t length, char *out) {
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < length; i++) {
		out[2 * i] = digits[bytes[i] >> 4];
		out[2 * i + 1] = digits[bytes[i] & 0x0F];
	}
}

/* The most significant digit first; returns MCP_HEX_U64_LENGTH. */
static inline size_t mcp_hex_write_u64(uint64_t number, char *out) {
	unsigned char bytes[MCP_HEX_U64_LENGTH / 2];
	for (size_t i = sizeof(bytes); i > 0; i--) {
		bytes[i - 1] = (unsigned char)number;
		number >>= 8;
	}
	mcp_hex_write(bytes, sizeof(bytes), out);
	return MCP_HEX_U64_LENGTH;
}

/* MCP_HEX_U64_LENGTH digits as they are written; false: they are none. */
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
