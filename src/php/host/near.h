/* The host's near cache for this process: change counters that every write increments, and shared items if memory is
 * shared. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_NEAR_H
#define MCP_PHP_NEAR_H

#include "../../core/near/shm_cache.h"

/* Start at start-up, after the shared memory. Without it, counters are private to the process. */
void php_mcp_near_start(void);
void php_mcp_near_stop(void);

/* Counters, never NULL while the module runs. */
const mcp_changes *php_mcp_near_changes(void);
/* Shared near cache, or NULL. Must not be used while McPatterns\Clock has moved this thread's time, which differs
 * from other processes' time. */
const mcp_shm_cache *php_mcp_near_shared_room(void);

/* Identify this process as a writer. The first call in a process asks the system for its PID namespace. */
mcp_near_writer php_mcp_near_this_writer(void);

/* Thread's buffer for items read from the near cache; NULL if memory is exhausted. Freed with the thread. */
char *php_mcp_near_copy(void);
void php_mcp_near_free_copy(char *copy);

#endif
