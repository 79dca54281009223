/* The host's near memory for this process: change counters that every write raises, and, where memory is shared, the
 * room of items. Made when the module starts. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_NEAR_H
#define MCP_PHP_NEAR_H

#include "../../core/near/shm_cache.h"

/* Starts after the shared memory, at start-up. Without it the counters are this process's own. */
void php_mcp_near_start(void);
void php_mcp_near_stop(void);

/* Returns the counters, never NULL while the module runs. */
const mcp_changes *php_mcp_near_changes(void);
/* Returns the shared room; NULL if nothing is shared. It is not to be used while McPatterns\Clock has moved this
 * thread's time: what a moved clock calls now means nothing to other processes, nor theirs to it. */
const mcp_shm_cache *php_mcp_near_shared_room(void);

/* Says that this process writes to the room. The first call in a process asks the system for the namespace of
 * its id. */
mcp_near_writer php_mcp_near_this_writer(void);

/* Returns the thread's scratch for what is read from the room; NULL if there is no memory. Freed with the thread. */
char *php_mcp_near_copy(void);
void php_mcp_near_free_copy(char *copy);

#endif
