/* The writes of a connection for many keys, for its table: each as store.h has it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CONNECTION_BATCH_H
#define MCP_STORE_CONNECTION_BATCH_H

#include "connection.h"

void mcp_connection_write_many(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count);
/* Does a write_many in two halves, as store.h has it. */
void mcp_connection_send_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count);
void mcp_connection_hear_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count);
void mcp_connection_delete_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses);

#endif
