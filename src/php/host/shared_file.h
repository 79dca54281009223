/* The file behind shared memory, so that processes of different masters, the command line's among them, have the
 * same. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SHARED_FILE_H
#define MCP_PHP_SHARED_FILE_H

#include "shared_access.h"

#include <stddef.h>
#include <stdint.h>

/* Makes the file, for those of `access` alone, or opens the one that is there, and maps it. `layout` is what its bytes mean: it is
 * written into a new file; one of ours that means something else, or is cut short, is deleted and made anew, and who has
 * it mapped keeps what he has. Nothing is taken or deleted that any but this user and the group could have made or could
 * change, nor what is not ours, and no link is followed. NULL if it is not to be had, with `why` in words. */
void *php_mcp_shared_file_map(const char *path, const mcp_shared_access *access, size_t size,
	uint64_t layout, const char **why);

/* Bytes at the beginning of the file that are its own. */
#define MCP_SHARED_FILE_HEAD 64

#endif
