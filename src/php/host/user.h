/* The user and group that this process acts as. They can change at any time in scripts of root. Asking costs more
 * than a near hit, so callers ask again only after a possible change. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_H
#define MCP_PHP_USER_H

#include <stdint.h>

/* All 0 on systems without users. */
typedef struct mcp_user {
	uint64_t id;    /* effective */
	uint64_t group; /* effective */
	/* of user and group: in its own user namespace, a process can have any id; 0: unknown */
	uint64_t namespace_id;
} mcp_user;

/* Ask the system: three system calls. */
mcp_user php_mcp_user_ask(void);
/* Ask without the namespace, which is then 0: two short system calls per request and php_mcp_user_changes_count(). */
mcp_user php_mcp_user_of_request(void);

#endif
