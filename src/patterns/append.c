/* append, add, append: each the answer to what the one before may have met. */
/* SPDX-License-Identifier: MIT */
#include "append.h"

mcp_status mcp_append_refused(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = mcp_store_add(store, key, record);
	/* There was something, and it is full; or another process was first to make it. */
	return status == MCP_NOT_STORED ? mcp_store_append(store, key, record->body) : status;
}

mcp_status mcp_append(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = mcp_store_append(store, key, record->body);
	return status == MCP_NOT_STORED ? mcp_append_refused(store, key, record) : status;
}
