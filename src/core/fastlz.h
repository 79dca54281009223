/* Decompresses FastLZ, php-memcached's preferred compression. Decompression only, for migrated values: no library in
 * Debian contains FastLZ. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_FASTLZ_H
#define MCP_CORE_FASTLZ_H

#include "bytes.h"

#include <stdbool.h>

/* Whether `block` is intact and expands to exactly `length` bytes. Needs no buffer. */
bool mcp_fastlz_becomes(mcp_bytes block, size_t length);

/* Expand `block` into `out`. Returns true if `block` is intact and expands to exactly `length` bytes. Never accesses
 * memory outside `block` and `out`, for any block. */
bool mcp_fastlz_expand(mcp_bytes block, char *out, size_t length);

#endif
