/* Maps the memory that this host's processes share, and divides it into named parts.
 *
 * The memory is mapped once at start-up, so all forked workers have it at the same address. Whenever a part is needed,
 * call:
 *
 *     size_t size;
 *     void *memory = php_mcp_shared_memory_part(MCP_SHARED_METRICS, &size);
 *     if (memory == NULL) { ... nothing is shared: count for this process alone ... }
 *
 * A part is zeroed when it is created, is page-aligned, is valid as long as the module, and uses real memory only where
 * it was written. Its bytes can come from a concurrent process, a killed process, or (with
 * mcpatterns.shared_memory_path) a process that ended long ago. Therefore use atomics, validate a copy of every number,
 * and store no pointers. If you change the meaning of a part's bytes, increment MCP_SHARED_LAYOUT. Changes of
 * core/metrics/counts.h do not need this, because the layout's hash includes them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOST_SHARED_MEMORY_H
#define MCP_PHP_HOST_SHARED_MEMORY_H

#include "../../core/holders/holders.h"
#include "../../core/near/shm_cache.h"
#include "../../core/waking/wakeups.h"
#include "php_mcpatterns.h"
#include "process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mcp_shared_part {
	MCP_SHARED_METRICS,     /* 1 MiB; 1/4 if the whole is below 4 MiB; none below 256 KiB */
	MCP_SHARED_BELLS,       /* 1/256, rounded to a power of two; 4 to 64 KiB */
	MCP_SHARED_DISCOVERIES, /* 260 KiB; none below 1 MiB */
	MCP_SHARED_HOLDERS,     /* same size as MCP_SHARED_BELLS */
	MCP_SHARED_NEAR,        /* the rest */
	MCP_SHARED_PARTS,
} mcp_shared_part;

/* Range of mcpatterns.shared_memory, in addition to 0. */
#define MCP_SHARED_MEMORY_MIN (64 * 1024)
#define MCP_SHARED_MEMORY_MAX (16ll * 1024 * 1024 * 1024)

/* Open the configured memory at start-up, before any fork. On failure, warn and use anonymous shared memory instead of
 * a file, or no shared memory. */
void php_mcp_shared_memory_open(void);
void php_mcp_shared_memory_close(void);

/* Get a part. Returns NULL and size 0 if there is no shared memory. The size is a multiple of 64. */
void *php_mcp_shared_memory_part(mcp_shared_part part, size_t *size);

/* Returns the reason why the configured memory is not in use, such as '"/run/site/shared" cannot be used
 * (permission denied)', or NULL. Valid as long as the module. */
const char *php_mcp_shared_memory_trouble(void);

/* Describe the shared memory for phpinfo(): "16 MiB", "16 MiB in /run/site/shared", "none". The caller releases the
 * string. */
zend_string *php_mcp_shared_memory_describe(void);

/* Call at start-up, after the shared memory has been opened. Without shared memory, change counters are private to the
 * process. */
void php_mcp_shared_memory_start_parts(void);
/* Also releases the calling thread's record as a holder. */
void php_mcp_shared_memory_stop_parts(void);

/* Change counters, never NULL while the module runs. */
const mcp_changes *php_mcp_shared_memory_changes(void);
/* Shared near cache, or NULL. Must not be used while McPatterns\Clock has moved this thread's time, which then differs
 * from the time of other processes. */
const mcp_shm_cache *php_mcp_shared_memory_near_cache(void);

/* Identify this process as a writer. The first call in a process queries the system for its PID namespace. */
mcp_near_writer php_mcp_shared_memory_near_writer(void);

/* Thread's buffer for items read from the near cache; NULL if memory is exhausted. Freed with the thread. */
char *php_mcp_shared_memory_near_copy(void);

/* Wake-up words, or NULL if unavailable. */
const mcp_wakeups *php_mcp_shared_memory_wakeups(void);

/* Slow path of the next function, for the first call in a process: queries the system and selects a record. */
void php_mcp_shared_memory_enter_holders(void);

/* This thread as a holder; NULL on systems that cannot identify processes permanently (all but Linux). A forked child
 * is another holder than its parent. */
static inline mcp_holder *php_mcp_shared_memory_holder(void) {
	if (UNEXPECTED(MCP_G(holder).name.pid != (uint32_t)php_mcp_process_id())) {
		php_mcp_shared_memory_enter_holders();
	}
	return EXPECTED(MCP_G(holder).name.machine != 0) ? &MCP_G(holder) : NULL;
}

/* Release the record at the end of the thread. No effect in a forked child or after
 * php_mcp_shared_memory_stop_parts(). */
void php_mcp_shared_memory_leave_holders(mcp_holder *holder);

#endif
