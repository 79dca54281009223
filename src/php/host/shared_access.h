/* Who may have the file behind shared memory, beside the user who made it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SHARED_ACCESS_H
#define MCP_PHP_SHARED_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mcp_shared_access {
	uint32_t mode;  /* 0600 or 0660 */
	uint32_t group; /* whose members may have it, and may have made it */
	bool has_group; /* false: the file has whatever group it gets, and is one user's */
} mcp_shared_access;

/* Reads the settings; "" stands for none. False if the group is none of this system, or the mode none there is. Without a
 * mode the members of a group may write. */
bool php_mcp_shared_access_read(const char *group, const char *mode, mcp_shared_access *access);

#endif
