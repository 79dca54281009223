/* Takes what has accumulated in a counter and has it stored, or puts it back on every way out that did not
 * store it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COUNTER_DRAIN_H
#define MCP_PHP_COUNTER_DRAIN_H

#include "../engine/user_call.h"
#include "counter_object.h"

/* Takes it, and has `store` store what is more than nothing. Without a `store` only takes it. Runs
 * user code. False with an exception. */
bool php_mcp_counter_drain_into(mcp_counter_call *call, mcp_user_call *store, int64_t *taken);

#endif
