/* The fencing token of what a Lock or a Semaphore holds. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LOCK_TOKEN_H
#define MCP_PHP_LOCK_TOKEN_H

#include "lock_object.h"

/* Makes it, which may take a wait; false with an exception. */
bool php_mcp_lock_token_make(mcp_lock_call *call, uint64_t *token);

#endif
