/* Access rights to the shared memory file, in addition to those of the user who created it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SHARED_ACCESS_H
#define MCP_PHP_SHARED_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mcp_shared_access {
	uint32_t mode;  /* 0600 or 0660 */
	uint32_t group; /* group whose members may use the file, and may create it */
	bool has_group; /* false: the file keeps its group and belongs to one user */
} mcp_shared_access;

/* Parse the settings; "" is unset. Returns false if the group or mode is invalid. With a group and no mode, the members
 * of the group may write. */
bool php_mcp_shared_access_read(const char *group, const char *mode, mcp_shared_access *access);

#endif
