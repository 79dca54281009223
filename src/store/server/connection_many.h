/* The calls of a connection for many keys, for its table: each as store.h has it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CONNECTION_MANY_H
#define MCP_STORE_CONNECTION_MANY_H

#include "connection.h"

void mcp_connection_get_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies);
bool mcp_connection_asks_ahead(mcp_store *store);
void mcp_connection_ask_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies);
void mcp_connection_hear_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_reply *replies);

#endif
