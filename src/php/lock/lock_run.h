/* Work of the user's under a lock. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LOCK_RUN_H
#define MCP_PHP_LOCK_RUN_H

#include "../engine/user_call.h"
#include "lock_object.h"

/* Does L10. Acquires, runs the work (user code), and releases what it has acquired. *result is what the work
 * returned, or an exception is set. */
void php_mcp_lock_run_work(mcp_lock_call *call, mcp_user_call *work, uint64_t wait_ms,
	zval *result);

#endif
