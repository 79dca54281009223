/* Memory that the processes of this host share: mapped once, when the module starts, so that all workers that a
 * master forks have it at the same address. It is divided into named parts, each for one subject.
 *
 * A subject asks for its part whenever it needs it:
 *
 *     size_t size;
 *     void *memory = php_mcp_shared_memory_part(MCP_SHARED_METRICS, &size);
 *     if (memory == NULL) { ... nothing is shared: count for this process alone ... }
 *
 * A part is zeroed when it is made, begins on a page, stays where it is as long as the module, and takes real
 * memory only where it was written. Its bytes were perhaps written by another process, at the same moment,
 * by one that was killed in the middle, or (with mcpatterns.shared_memory_path) long ago by one that has ended: it is
 * used with atomics, every number read from it is checked in a copy, and no pointer is kept in it. Whoever changes
 * what a part's bytes mean raises MCP_SHARED_LAYOUT, or a file of before would be taken for one of now; core/metrics/counts.h is
 * looked at without that. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOST_SHARED_MEMORY_H
#define MCP_PHP_HOST_SHARED_MEMORY_H

#include "php.h"
#include "shared_access.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mcp_shared_part {
	MCP_SHARED_METRICS, /* 1 MiB; a quarter where the whole is less than 4 MiB; none below 256 KiB */
	MCP_SHARED_BELLS,   /* a 256th, in a power of two; 4 KiB at least, 64 KiB at most */
	MCP_SHARED_DISCOVERIES, /* 260 KiB; none below 1 MiB */
	MCP_SHARED_HOLDERS,     /* as much as of bells */
	MCP_SHARED_NEAR,        /* the rest */
	MCP_SHARED_PARTS,
} mcp_shared_part;

/* The bounds of mcpatterns.shared_memory, beside 0. */
#define MCP_SHARED_MEMORY_MIN (64 * 1024)
#define MCP_SHARED_MEMORY_MAX (16ll * 1024 * 1024 * 1024)

/* Opens the memory that the settings want at start-up, before anything forks. Where it cannot be had a warning says why, and
 * another memory or none takes its place. */
void php_mcp_shared_memory_open(void);
void php_mcp_shared_memory_close(void);

/* Returns the part's memory; NULL and 0 if nothing is shared. Its size is a multiple of 64. */
void *php_mcp_shared_memory_part(mcp_shared_part part, size_t *size);

/* Says why it is not what the settings want: '"/run/site/shared" cannot be used (permission denied)'. NULL if it is. Lives as
 * long as the module. */
const char *php_mcp_shared_memory_trouble(void);

/* Describes it for phpinfo(): "16 MiB", "16 MiB in /run/site/shared", "none". The caller releases it. */
zend_string *php_mcp_shared_memory_describe(void);

/* The file behind shared memory, so that processes of different masters, the command line's among them, have the
 * same. */

/* Makes the file, for those of `access` alone, or opens the one that is there, and maps it. `layout` is what its bytes mean: it is
 * written into a new file; one of ours that means something else, or is cut short, is deleted and made anew, and who has
 * it mapped keeps what he has. Nothing is taken or deleted that any but this user and the group could have made or could
 * change, nor what is not ours, and no link is followed. NULL if it is not to be had, with `why` in words. */
void *php_mcp_shared_file_map(const char *path, const mcp_shared_access *access, size_t size,
	uint64_t layout, const char **why);

#endif
