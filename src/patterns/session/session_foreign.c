/* It is on the server that its id routes it to as php-memcached's weighted ring does, or, as other clients place keys in
 * other ways, on any. */
/* SPDX-License-Identifier: MIT */
#include "session_foreign.h"

static mcp_status read_from(mcp_store *store, const mcp_session *session,
	mcp_session_known *known) {
	mcp_item item;
	mcp_status status = mcp_store_get(store, session->foreign, &item);
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

/* Looks on all of them before it says that there is none: one that could not be asked may have it. */
mcp_status mcp_session_foreign_read(const mcp_session *session, mcp_session_known *known) {
	mcp_store *owner = mcp_store_owner(session->store, session->foreign);
	mcp_status status = read_from(owner, session, known), failure = status;
	size_t count = mcp_store_member_count(session->store);
	for (size_t i = 0; i < count && status != MCP_OK; i++) {
		mcp_store *member = mcp_store_member(session->store, i);
		status = member != owner ? read_from(member, session, known) : status;
		failure = mcp_status_is_failure(status) ? status : failure;
	}
	return status == MCP_OK ? MCP_OK : failure;
}

/* Deletes once more where there was no answer: what is not there is deleted. */
static mcp_status delete_from(mcp_store *store, const mcp_key *key) {
	mcp_status status = mcp_store_delete(store, key);
	if (mcp_status_is_unanswered(status)) {
		mcp_store_bypass_breaker(store, key, MCP_BYPASS_TO_RESOLVE);
		status = mcp_store_delete(store, key);
	}
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

mcp_status mcp_session_foreign_delete(const mcp_session *session) {
	size_t count = mcp_store_member_count(session->store);
	mcp_status failure = MCP_OK;
	for (size_t i = 0; i < count; i++) {
		mcp_store *member = mcp_store_member(session->store, i);
		mcp_status status = delete_from(member, session->foreign);
		failure = status != MCP_OK ? status : failure;
	}
	return failure;
}
