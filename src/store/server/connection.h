/* Store of one server over one wire, with limits, retries and a circuit breaker. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SERVER_CONNECTION_H
#define MCP_STORE_SERVER_CONNECTION_H

#include "../store.h"
#include "../wire/address.h"
#include "../wire/wire.h"
#include "exchange.h"

/* Sent writes of a batch, whose replies will be read. Borrowed. */
typedef struct mcp_connection_sent {
	size_t count;
	mcp_op *ops[MCP_WIRE_BATCH_MAX];
} mcp_connection_sent;

/* State of a run of writes between its 2 halves. */
typedef struct mcp_connection_writing {
	size_t begun; /* number of writes of the first batch, and of rejected writes before its end */
	mcp_connection_sent sent; /* sent writes of that batch; empty: not sent */
	mcp_status before;        /* status of the batch's last write, if the batch was not sent */
} mcp_connection_writing;

/* State shared by the connection's files. */
typedef struct mcp_connection {
	mcp_store store;
	mcp_wire *wire;
	mcp_exchange exchange;
	mcp_multi_get many; /* the run of gets in progress */
	bool has_asked;     /* the first half of the run was sent, with the status `asked` */
	mcp_status asked;
	mcp_connection_writing writing;
	uint64_t first_name;   /* number of the first connection, for steps; 0: not numbered yet */
	mcp_late_writes *late; /* late writes of the process; NULL: not tracked */
	char address[MCP_ADDRESS_MAX];
} mcp_connection;

/* Creates the store and takes ownership of the wire, even on failure. `settings`: settings of the wire.
 * `retry_after_ms`: time for which the breaker remains open. The environment is borrowed and must outlive the store.
 * NULL: wire is NULL, or memory exhausted. */
mcp_store *mcp_connection_create(mcp_wire *wire, const mcp_wire_settings *settings,
	uint32_t retry_after_ms, const mcp_environment *environment);

#endif
