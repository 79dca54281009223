/* This thread as a lock holder (core/holders/holders.h): its name on this machine, and its record in shared memory. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOLDERS_H
#define MCP_PHP_HOLDERS_H

#include "../../core/holders/holders.h"
#include "php_mcpatterns.h"
#include "process.h"

/* Start at start-up, after the shared memory. */
void php_mcp_holders_start(void);
/* Release the calling thread's record. */
void php_mcp_holders_stop(void);

/* Slow path of the next function at the first call in a process: asks the system and selects a record. */
void php_mcp_holders_enter(void);

/* This thread as a holder; NULL on systems that cannot identify processes permanently (all but Linux). A forked
 * child is a different holder than its parent. */
static inline mcp_holder *php_mcp_holder(void) {
	if (UNEXPECTED(MCP_G(holder).name.pid != (uint32_t)php_mcp_process_id())) {
		php_mcp_holders_enter();
	}
	return EXPECTED(MCP_G(holder).name.machine != 0) ? &MCP_G(holder) : NULL;
}

/* Release the record at the end of the thread. No effect in a forked child and after php_mcp_holders_stop(). */
void php_mcp_holders_leave(mcp_holder *holder);

#endif
