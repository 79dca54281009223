/* The lock beside a session: an item as a Lock's, on the session's server, tried, read and given back together with the
 * session. For the session's files alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_SESSION_LOCK_H
#define MCP_PATTERNS_SESSION_LOCK_H

#include "session_item.h"

/* Makes the key of the lock's item. */
mcp_key mcp_session_lock_key(mcp_key_buffer *buffer, const mcp_session *session);

/* Says whether a look at the lock's item, which has not failed, has found this request's. */
bool mcp_session_lock_is_ours(const mcp_session_known *known, const mcp_store_step *look);

/* Acquires, and reads the session behind it: the lock comes first, or what was read could be changed before it is held.
 * MCP_OK: *read is the session's answer, whose view ends with the next read; MCP_NOT_STORED, MCP_INTERRUPTED or a failure
 * as mcp_session_start. */
mcp_status mcp_session_lock_and_read(const mcp_session *session, mcp_session_known *known,
	mcp_pauses *pauses, mcp_store_step *read);

/* Carries out a write of the session, and behind it the lock's end, if it is held and its proof known. Without an answer
 * to that it is held still. True if it was held until the write had been carried out. */
bool mcp_session_lock_end_behind(const mcp_session *session, mcp_session_known *known,
	mcp_store_step *write);

/* Believes in it no more: what is there of it, now or later, is anybody's to take over. Asks nobody. */
void mcp_session_lock_forget(const mcp_session *session, mcp_session_known *known);

/* Gives it back if it is held and still this request's. */
void mcp_session_unlock(const mcp_session *session, mcp_session_known *known);

#endif
