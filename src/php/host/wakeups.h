/* The host's bells for this process (core/waking/wakeups.h): in the shared memory, and on systems with futex(2). Made when
 * the module starts. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOST_WAKEUPS_H
#define MCP_PHP_HOST_WAKEUPS_H

#include "../../core/environment.h"
#include "../../core/waking/wakeups.h"

/* Starts after the shared memory, at start-up. */
void php_mcp_wakeups_start(void);
void php_mcp_wakeups_stop(void);

/* Returns the bells; NULL if there are none. */
const mcp_wakeups *php_mcp_wakeups(void);

/* Sleeping on a word of shared memory until another process of this host wakes who sleeps there: futex(2). */

/* Says whether this system has it. False, too, once a call has been refused, by a sandbox say. */
bool php_mcp_futex_is_possible(void);

/* Returns the clock that timeouts go by: the same for all processes since the machine was started, and not 0. */
uint64_t php_mcp_futex_now_ms(void);

/* Does what the environment's `doze` and `wake` do. A sleep that is not interrupted by this environment goes on after a
 * signal. */
mcp_doze php_mcp_futex_doze(const mcp_environment *environment, const mcp_atomic_u32 *word,
	uint32_t noted, uint32_t bits, uint64_t end_ms);
void php_mcp_futex_wake(const mcp_environment *environment, const mcp_atomic_u32 *word,
	uint32_t bits, bool wakes_one);

#endif
