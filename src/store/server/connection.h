/* The contract of store.h over one wire: what is checked before a request, what a failure means to the
 * caller, when to try again, and when to leave a server alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_SERVER_CONNECTION_H
#define MCP_STORE_SERVER_CONNECTION_H

#include "../steps.h"
#include "../wire/address.h"
#include "../wire/wire.h"
#include "exchange.h"

/* The writes of a batch that was sent, as far as their answers go; `numbers` for calculations alone, and `proven` for those
 * of which a proof is to be filled in, else NULL. Borrowed. */
typedef struct mcp_connection_sent {
	mcp_wire_verb verb;
	size_t count;
	mcp_status *statuses[MCP_WIRE_BATCH_MAX];
	uint64_t *numbers[MCP_WIRE_BATCH_MAX];
	const struct mcp_write *proven[MCP_WIRE_BATCH_MAX];
} mcp_connection_sent;

/* A write_many between its two halves. */
typedef struct mcp_connection_writing {
	size_t begun;              /* the writes of the first batch, and those that must not be sent */
	mcp_connection_sent *sent; /* that batch, in the connection's room; NULL: it was not sent */
	mcp_status before;         /* the last one's answer, if it was not */
} mcp_connection_writing;

/* The connection, for its files: the store, its wire, and what is known of the other end. */
typedef struct mcp_connection {
	mcp_store store;
	mcp_wire *wire;
	mcp_exchange exchange;
	mcp_buffer room;    /* used while a call for many keys runs */
	mcp_multi_get many; /* the get_many under way */
	bool has_asked;     /* its first half was made, and said this: */
	mcp_status asked;
	mcp_connection_writing writing;
	mcp_buffer value;      /* head and body of the record being written */
	uint64_t first_name;   /* of its first connection, for steps; 0: not named yet */
	mcp_late_writes *late; /* of the process; NULL: none */
	char address[MCP_ADDRESS_MAX];
} mcp_connection;

/* Makes a store over the wire, which it takes over, whatever happens. `settings` are the wire's,
 * `retry_after_ms` is the breaker's pause; the environment is borrowed and must outlive the store. NULL if the
 * wire is NULL or memory ran out. */
mcp_store *mcp_connection_create(mcp_wire *wire, const mcp_wire_settings *settings,
	uint32_t retry_after_ms, const mcp_environment *environment);

#endif
