/* SPDX-License-Identifier: MIT */
#include "session_foreign.h"

mcp_status mcp_session_foreign_read(const mcp_session *session, mcp_session_known *known) {
	mcp_item item;
	mcp_status status = mcp_store_get(session->store, session->foreign, &item);
	if (status != MCP_OK) {
		return status;
	}
	if (item.flags != 0) {
		return MCP_NOT_FOUND; /* no session's, whose flags that handler leaves 0 */
	}
	mcp_buffer_clear(&known->data);
	known->is_foreign = mcp_buffer_append(&known->data, item.value);
	return known->is_foreign ? MCP_OK : MCP_UNREACHABLE;
}

/* Deletes once more where there was no answer: what is not there is deleted. */
mcp_status mcp_session_foreign_delete(const mcp_session *session) {
	mcp_status status = mcp_store_delete(session->store, session->foreign);
	if (mcp_status_is_unanswered(status)) {
		mcp_store_insist(session->store, session->foreign, MCP_INSIST_TO_SETTLE);
		status = mcp_store_delete(session->store, session->foreign);
	}
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}
