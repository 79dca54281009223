/* A connection's changes, as store.h has them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CONNECTION_WRITE_H
#define MCP_STORE_CONNECTION_WRITE_H

#include "connection.h"

mcp_status mcp_connection_change(mcp_store *store, const mcp_key *key, const mcp_change *change);
mcp_status mcp_connection_flush(mcp_store *store);

/* --- for connection_batch.c and connection.c, too --- */

/* Says whether key and size may be sent: MCP_OK, MCP_BAD_KEY or MCP_TOO_LARGE. */
mcp_status mcp_connection_judge(mcp_connection *connection, const mcp_key *key,
	const mcp_record *record, size_t *size);
/* Says whether a cas or a delete_if of this id may be sent: MCP_OK, or its answer. And makes what is sent for a delete_if. */
mcp_status mcp_connection_judge_id(const mcp_connection *connection, const mcp_key *key,
	uint64_t cas);
mcp_wire_item mcp_connection_delete_if_item(const mcp_key *key, uint64_t cas);
/* Makes what is sent of a record. */
mcp_wire_item mcp_connection_item_of(const mcp_connection *connection, const mcp_key *key,
	const mcp_record *record);
/* Returns memcached's number. */
int64_t mcp_connection_expiry(const mcp_connection *connection, uint64_t ttl_ms);
/* Has the wire learn about the server, which it has not yet. MCP_OK, also where nothing came of it, or
 * MCP_UNREACHABLE. */
mcp_status mcp_connection_learn(mcp_connection *connection);
/* Starts over after the connection was lost before anything of a write was sent. */
void mcp_connection_start_over(mcp_connection *connection);

#endif
