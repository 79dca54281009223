/* Counting and reading where the counter may be absent: an integer's first number, or a callable's, which
 * one process runs. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COUNTER_INITIAL_H
#define MCP_PHP_COUNTER_INITIAL_H

#include "counter_object.h"

/* Both may run user code: `call` is renewed then. A status other than MCP_OK has been thrown, or is to be. */

/* Adds `by` to what is there, or to the first number, which it stores. */
mcp_status php_mcp_counter_initial_add(mcp_counter_call *call, int64_t by, int64_t *number);

/* Shows an absent counter's first number: an integer unwritten, a callable's stored. */
mcp_status php_mcp_counter_initial_read(mcp_counter_call *call, int64_t *number);

#endif
