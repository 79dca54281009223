/* The user and group that this process acts as: of the call, as scripts of root may change them at any time. To ask the
 * system costs more than a near hit does, so whoever depends on it asks again when it may have changed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_USER_H
#define MCP_PHP_USER_H

#include <stdint.h>

/* All 0 where there are no users. */
typedef struct mcp_user {
	uint64_t id;    /* effective */
	uint64_t group; /* effective */
	uint64_t
		namespace_id; /* the user namespace, in which both count: in one of its own a process may have any id; 0: unknown */
} mcp_user;

/* Asks the system: three calls. */
mcp_user php_mcp_user_ask(void);
/* Asks without the namespace, which is 0 then: two short calls, once in a request for each php_mcp_user_changes_count. */
mcp_user php_mcp_user_of_request(void);

#endif
