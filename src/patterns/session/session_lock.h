/* The lock of a session: an item as a Lock's, on the session's server, tried, read and released together
 * with the session. Private to this folder. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SESSION_SESSION_LOCK_H
#define MCP_PATTERNS_SESSION_SESSION_LOCK_H

#include "session.h"

/* Make the key of the lock's item. */
mcp_key mcp_session_lock_key(mcp_key_buffer *buffer, const mcp_session *session);

/* Whether a successful read of the lock's item found this request's. */
bool mcp_session_lock_is_ours(const mcp_session_known *known, const mcp_op *look);

/* Execute a write of the session, followed by the lock's release if it is held and its proof is known.
 * Without a reply to the release, the lock stays held. Returns true if the lock was held until the write was
 * executed. */
bool mcp_session_lock_end_behind(const mcp_session *session, mcp_session_known *known,
	mcp_op *write);

/* Stop trusting the lock: its item, now or later, may be taken over. No I/O. */
void mcp_session_lock_forget(const mcp_session *session, mcp_session_known *known);

/* Release the lock if it is held and still this request's. */
void mcp_session_unlock(const mcp_session *session, mcp_session_known *known);

/* Migrates a session from another handler, which stores PHP's string as it is. If the session is missing,
 * that item is read. It is deleted after the session was stored here or destroyed. */

/* Delete the other handler's item, if any. MCP_OK: it is deleted. */
mcp_status mcp_session_foreign_delete(const mcp_session *session);

#endif
