/* Decimal numbers in the format of memcached and PHP. A padded number ("9 " after a decr) is accepted;
 * "1.5", "+1" and "7x" are not. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_DECIMAL_H
#define MCP_CORE_DECIMAL_H

#include "bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* Buffer size for any int64 with its sign and any uint64. Without a terminating NUL. */
#define MCP_DECIMAL_MAX_LENGTH 20

static inline bool mcp_is_digit(char letter) {
	return (unsigned char)(letter - '0') <= 9;
}

/* Remove the trailing spaces that a decr leaves when a number becomes shorter. */
mcp_bytes mcp_decimal_trim(mcp_bytes text);

/* Parse all of `text`: digits, with '-' before a negative number, and optional trailing spaces. Returns
 * false if it is malformed or does not fit. "-0" is malformed. */
bool mcp_decimal_parse_i64(mcp_bytes text, int64_t *number);
bool mcp_decimal_parse_u64(mcp_bytes text, uint64_t *number);

/* Parse the digits from `start` and return their end. Returns `start` if there are none or they do not fit;
 * *number is then undefined. */
const char *mcp_decimal_scan_u64(const char *start, const char *end, uint64_t *number);

/* Write the number to `out` of MCP_DECIMAL_MAX_LENGTH bytes, and return the length. */
size_t mcp_decimal_format_i64(int64_t number, char *out);
size_t mcp_decimal_format_u64(uint64_t number, char *out);

/* Returns false if the sum overflows; *sum is then unchanged. */
bool mcp_decimal_add(int64_t a, int64_t b, int64_t *sum);

#endif
