/* Numbers as memcached's incr and decr read and write them, which is as strtoull reads them:
 * leading white space and a sign are taken, and anything may follow a blank. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_NUMBER_H
#define MCP_STORE_MEMORY_NUMBER_H

#include "../core/bytes.h"

#include <stdint.h>

#define MCP_MEMORY_NUMBER_MAX_LENGTH 20

/* False: incr and decr answer "non-numeric value". */
bool mcp_memory_number_parse(mcp_bytes value, uint64_t *number);
/* Decimal digits; returns how many. */
size_t mcp_memory_number_format(uint64_t number, char out[MCP_MEMORY_NUMBER_MAX_LENGTH]);

#endif
