/* A connection's changes, as store.h has them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SERVER_CONNECTION_WRITE_H
#define MCP_STORE_SERVER_CONNECTION_WRITE_H

#include "connection.h"

mcp_status mcp_connection_change(mcp_store *store, const mcp_key *key, const mcp_change *change);
mcp_status mcp_connection_flush(mcp_store *store);

/* --- for connection_write.c and connection.c, too --- */

/* Returns memcached's number. */
int64_t mcp_connection_expiry(const mcp_connection *connection, uint64_t ttl_ms);
/* Has the wire learn about the server, which it has not yet. MCP_OK, also where nothing came of it, or
 * MCP_UNREACHABLE. */
mcp_status mcp_connection_learn(mcp_connection *connection);
/* Starts over after the connection was lost before anything of a write was sent. */
void mcp_connection_start_over(mcp_connection *connection);

/* The writes of a connection for many keys, for its table: each as store.h has it. */

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
