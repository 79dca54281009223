/* Decimal numbers as memcached and PHP write them. Reads only what both agree on, so that a padded
 * number ("9 " after a decr) is a number and "1.5", "+1" or "7x" are not. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_DECIMAL_H
#define MCP_CORE_DECIMAL_H

#include "bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* Room for any int64 with its sign and for any uint64. No terminating NUL is counted or written. */
#define MCP_DECIMAL_MAX_LENGTH 20

/* Takes off the spaces that a decr leaves behind a number that became shorter. */
mcp_bytes mcp_decimal_trim(mcp_bytes text);

/* Reads all of `text` (trailing spaces apart), which must be digits, with '-' before them for a negative number
 * other than zero; false if it is not or does not fit. */
bool mcp_decimal_parse_i64(mcp_bytes text, int64_t *number);
bool mcp_decimal_parse_u64(mcp_bytes text, uint64_t *number);

/* Reads as many digits as there are from `start` on, and returns where they end: `start` if there are none, or
 * they do not fit; *number then means nothing. */
const char *mcp_decimal_scan_u64(const char *start, const char *end, uint64_t *number);

/* Writes the number to `out`, which has room for MCP_DECIMAL_MAX_LENGTH, and returns the length. */
size_t mcp_decimal_format_i64(int64_t number, char *out);
size_t mcp_decimal_format_u64(uint64_t number, char *out);

/* False if the sum does not fit in an int64; then *sum is not written. */
bool mcp_decimal_add(int64_t a, int64_t b, int64_t *sum);

#endif
