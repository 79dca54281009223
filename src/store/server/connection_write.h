/* Changes of a connection, as store.h defines them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SERVER_CONNECTION_WRITE_H
#define MCP_STORE_SERVER_CONNECTION_WRITE_H

#include "connection.h"

mcp_status mcp_connection_change(mcp_store *store, const mcp_key *key, const mcp_change *change);
mcp_status mcp_connection_flush(mcp_store *store);

/* --- shared by connection_write.c and connection.c --- */

/* Converts a TTL to memcached's expiry. */
int64_t mcp_connection_expiry(const mcp_connection *connection, uint64_t ttl_ms);
/* Lets the wire learn about the server. MCP_OK, even without a result, or MCP_UNREACHABLE. */
mcp_status mcp_connection_learn(mcp_connection *connection);
/* Resets the peer after the connection was lost before anything of a write was sent. */
void mcp_connection_start_over(mcp_connection *connection);

/* Batch functions, as store.h defines them. */

void mcp_connection_write_many(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count);
void mcp_connection_send_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count);
void mcp_connection_hear_writes(mcp_store *store, mcp_change_verb verb, mcp_write *writes,
	size_t count);
void mcp_connection_delete_many(mcp_store *store, const mcp_key *keys, size_t count,
	mcp_status *statuses);

#endif
