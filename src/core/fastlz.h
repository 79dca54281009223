/* Reads a FastLZ block, the compression that php-memcached prefers. Only reading: no library that
 * Debian ships offers it, and a site that switches over has such values. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_FASTLZ_H
#define MCP_CORE_FASTLZ_H

#include "bytes.h"

#include <stdbool.h>

/* True if `block` is intact and would become exactly `length` bytes. Needs no room for them. */
bool mcp_fastlz_becomes(mcp_bytes block, size_t length);

/* True if `block` is intact and becomes exactly `length` bytes, which are then in `out`. Reads and writes
 * nothing outside of both, whatever the block says. */
bool mcp_fastlz_expand(mcp_bytes block, char *out, size_t length);

#endif
