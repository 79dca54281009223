/* Appends with up to 3 commands: append, add, append. */
/* SPDX-License-Identifier: MIT */
#include "append.h"

mcp_status mcp_append_refused(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = mcp_store_add(store, key, record);
	/* The item exists and is full, or another process was first to create it. */
	return status == MCP_NOT_STORED ? mcp_store_append(store, key, record->body) : status;
}

mcp_status mcp_append(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = mcp_store_append(store, key, record->body);
	return status == MCP_NOT_STORED ? mcp_append_refused(store, key, record) : status;
}
