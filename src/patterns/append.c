/* Appends to an item with up to 3 commands: append, add if the item is missing, and append again. */
/* SPDX-License-Identifier: MIT */
#include "append.h"

mcp_bytes mcp_append_new_head(const mcp_environment *environment, mcp_append_kind kind,
	uint64_t end_ms, char out[MCP_APPEND_HEAD_LENGTH]) {
	mcp_append_head head = {
		.kind = kind,
		.end_ms = end_ms,
		.id = mcp_random_u64(environment) | 1,
	};
	mcp_append_head_write(&head, out);
	return mcp_bytes_of(out, MCP_APPEND_HEAD_LENGTH);
}

mcp_status mcp_append_refused(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = mcp_store_add(store, key, record);
	/* The item exists: it is full, or another process created it first. */
	return status == MCP_NOT_STORED ? mcp_store_append(store, key, record->body) : status;
}

mcp_status mcp_append(mcp_store *store, const mcp_key *key, const mcp_record *record) {
	mcp_status status = mcp_store_append(store, key, record->body);
	return status == MCP_NOT_STORED ? mcp_append_refused(store, key, record) : status;
}
