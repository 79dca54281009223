/* What processes of this host share: change counters that every write increments, near cache, wake-up words, and lock
 * holders. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SHARED_PARTS_H
#define MCP_PHP_SHARED_PARTS_H

#include "../../core/holders/holders.h"
#include "../../core/near/shm_cache.h"
#include "../../core/waking/wakeups.h"
#include "php_mcpatterns.h"
#include "process.h"

/* Start at start-up, after the shared memory. Without it, change counters are private to the process. */
void php_mcp_shared_parts_start(void);
/* Also releases the calling thread's record as a holder. */
void php_mcp_shared_parts_stop(void);

/* Counters, never NULL while the module runs. */
const mcp_changes *php_mcp_near_changes(void);
/* Shared near cache, or NULL. Must not be used while McPatterns\Clock has moved this thread's time, which differs
 * from other processes' time. */
const mcp_shm_cache *php_mcp_near_shared_room(void);

/* Identify this process as a writer. The first call in a process asks the system for its PID namespace. */
mcp_near_writer php_mcp_near_this_writer(void);

/* Thread's buffer for items read from the near cache; NULL if memory is exhausted. Freed with the thread. */
char *php_mcp_near_copy(void);

/* Wake-up words, or NULL if unavailable. */
const mcp_wakeups *php_mcp_wakeups(void);

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

/* Release the record at the end of the thread. No effect in a forked child and after php_mcp_shared_parts_stop(). */
void php_mcp_holders_leave(mcp_holder *holder);

#endif
