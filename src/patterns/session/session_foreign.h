/* Moves a session over from another handler, which stores PHP's string as it is: where nothing is there, that item is read;
 * it goes when the session has been stored here, or was destroyed. For the session's files alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SESSION_FOREIGN_H
#define MCP_PATTERNS_SESSION_FOREIGN_H

#include "session.h"

/* Reads it, where nothing was found: MCP_OK, MCP_NOT_FOUND, or a failure. One round trip. */
mcp_status mcp_session_foreign_read(const mcp_session *session, mcp_session_known *known);

/* Deletes it, where there may be one. MCP_OK: it is gone. */
mcp_status mcp_session_foreign_delete(const mcp_session *session);

#endif
