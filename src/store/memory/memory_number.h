/* Numbers as memcached's incr and decr read them, which is as strtoull does: leading white space and a sign
 * are taken, and anything may follow a blank. It writes them as core/decimal.h does. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MEMORY_NUMBER_H
#define MCP_STORE_MEMORY_NUMBER_H

#include "../../core/bytes.h"

#include <stdint.h>

/* False if incr and decr answer "non-numeric value". */
bool mcp_memory_number_parse(mcp_bytes value, uint64_t *number);

#endif
