/* This thread as a holder of locks (core/holders/holders.h): its name among the processes of the machine, and its record in the
 * host's shared memory. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOLDERS_H
#define MCP_PHP_HOLDERS_H

#include "../../core/holders/holders.h"
#include "php_mcpatterns.h"
#include "process.h"

/* Starts after the shared memory, at start-up. */
void php_mcp_holders_start(void);
/* Gives back what the thread that calls it has. */
void php_mcp_holders_stop(void);

/* Does the next one's work at the first call in a process: asks the system, and chooses a record. */
void php_mcp_holders_enter(void);

/* Returns this thread as a holder; NULL if the system does not tell processes apart for good, as others than Linux. A child of
 * a fork is another one than its parent. */
static inline mcp_holder *php_mcp_holder(void) {
	if (UNEXPECTED(MCP_G(holder).name.pid != (uint32_t)php_mcp_process_id())) {
		php_mcp_holders_enter();
	}
	return EXPECTED(MCP_G(holder).name.machine != 0) ? &MCP_G(holder) : NULL;
}

/* Gives the record back, at the thread's end. Does no harm in another process's child, and after php_mcp_holders_stop. */
void php_mcp_holders_leave(mcp_holder *holder);

#endif
