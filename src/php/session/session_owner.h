/* The name by which a request stands in the lock of its session, and how it is shown to those who wait for it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_OWNER_H
#define MCP_PHP_SESSION_OWNER_H

#include "../../core/bytes.h"

#include "php.h"

#define MCP_SESSION_OWNER_MAX 256

/* "host pid start path": the host's name, the process's id, when its request began (Unix time), and the path that was
 * asked for, or the script's, never with a query. */
typedef struct mcp_session_owner {
	char text[MCP_SESSION_OWNER_MAX];
	size_t length;
} mcp_session_owner;

void php_mcp_session_owner_make(mcp_session_owner *owner);

/* Says "web3 4711 since 12.4 s (/cart)". The caller releases it. */
zend_string *php_mcp_session_owner_show(mcp_bytes owner, uint64_t held_for_ms);

#endif
