/* The lock beside a session: an item as a Lock's, on the session's server, tried, read and given back together with the
 * session. For the session's files alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SESSION_SESSION_LOCK_H
#define MCP_PATTERNS_SESSION_SESSION_LOCK_H

#include "session.h"

/* Makes the key of the lock's item. */
mcp_key mcp_session_lock_key(mcp_key_buffer *buffer, const mcp_session *session);

/* Says whether a look at the lock's item, which has not failed, has found this request's. */
bool mcp_session_lock_is_ours(const mcp_session_known *known, const mcp_store_step *look);

/* Carries out a write of the session, and behind it the lock's end, if it is held and its proof known. Without an answer
 * to that it is held still. True if it was held until the write had been carried out. */
bool mcp_session_lock_end_behind(const mcp_session *session, mcp_session_known *known,
	mcp_store_step *write);

/* Believes in it no more: what is there of it, now or later, is anybody's to take over. Asks nobody. */
void mcp_session_lock_forget(const mcp_session *session, mcp_session_known *known);

/* Gives it back if it is held and still this request's. */
void mcp_session_unlock(const mcp_session *session, mcp_session_known *known);

/* Moves a session over from another handler, which stores PHP's string as it is: where nothing is there, that item is read;
 * it goes when the session has been stored here, or was destroyed. For the session's files alone. */

/* Deletes it, where there may be one. MCP_OK: it is gone. */
mcp_status mcp_session_foreign_delete(const mcp_session *session);

#endif
