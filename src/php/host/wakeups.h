/* The host's wake-up words for this process (core/waking/wakeups.h), in shared memory on systems with futex(2). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOST_WAKEUPS_H
#define MCP_PHP_HOST_WAKEUPS_H

#include "../../core/environment.h"
#include "../../core/waking/wakeups.h"

/* Start at start-up, after the shared memory. */
void php_mcp_wakeups_start(void);
void php_mcp_wakeups_stop(void);

/* Wake-up words, or NULL if unavailable. */
const mcp_wakeups *php_mcp_wakeups(void);

/* True if this system has futex(2). False also after a refused call, for example in a sandbox. */
bool php_mcp_futex_is_possible(void);

/* Clock of timeouts: common to all processes since boot, never 0. */
uint64_t php_mcp_futex_now_ms(void);

/* Implements `doze` and `wake` of the environment. A sleep continues after a signal that does not interrupt this
 * environment. */
mcp_doze php_mcp_futex_doze(const mcp_environment *environment, const mcp_atomic_u32 *word,
	uint32_t noted, uint32_t bits, uint64_t end_ms);
void php_mcp_futex_wake(const mcp_environment *environment, const mcp_atomic_u32 *word,
	uint32_t bits, bool wakes_one);

#endif
