/* The words for what went wrong with a session, and the exception that a SessionHandler throws of it; the save handler warns
 * with the words. They never have its id. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SESSION_TROUBLE_H
#define MCP_PHP_SESSION_TROUBLE_H

#include "open_session.h"

typedef struct mcp_session_trouble {
	zend_class_entry *exception;
	zend_string *text; /* begins with "the session"; the caller releases it */
} mcp_session_trouble;

/* Says why it could not be started. `status` is not MCP_OK. */
mcp_session_trouble php_mcp_session_trouble_of_start(const mcp_open_session *session,
	mcp_status status);

/* Says why it was not stored. The report's outcome is neither MCP_SESSION_STORED nor MCP_SESSION_DROPPED. */
mcp_session_trouble php_mcp_session_trouble_of_write(const mcp_open_session *session,
	const mcp_session_report *report, mcp_bytes data);

#endif
