/* The room in which OnlineCounter and RateLimiter read their slots. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SLOTS_SCRATCH_H
#define MCP_PHP_SLOTS_SCRATCH_H

#include <stddef.h>

#include "../../patterns/slots_scratch.h"

/* Allocates everything that a read of so many slots wants in one piece of memory; freed by efree(). */
void *php_mcp_slots_scratch_allocate(size_t slots, mcp_slots_scratch *scratch);

#endif
