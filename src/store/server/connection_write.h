/* Write operations over a connection, as store.h defines them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SERVER_CONNECTION_WRITE_H
#define MCP_STORE_SERVER_CONNECTION_WRITE_H

#include "connection.h"

mcp_status mcp_connection_change(mcp_store *store, mcp_op *op);
void mcp_connection_run(mcp_store *store, mcp_op *const *ops, size_t count);
void mcp_connection_submit(mcp_store *store, mcp_op *const *ops, size_t count);
void mcp_connection_complete(mcp_store *store, mcp_op *const *ops, size_t count);

/* --- shared by connection_write.c and connection.c --- */

/* Lets the wire learn what the server supports. Returns MCP_OK, even without a result, or MCP_UNREACHABLE. */
mcp_status mcp_connection_learn(mcp_connection *connection);
/* Converts the wire's status of a write to the status for the caller, and learns the limit of a server that reports
 * none. */
mcp_status mcp_connection_finish_write(mcp_connection *connection, const mcp_op *op,
	mcp_status status);
/* Resets the peer after the connection was lost before anything of a write was sent. */
void mcp_connection_start_over(mcp_connection *connection);

#endif
