/* What the files of a connection share: the store, its wire, and what is known of the other end. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CONNECTION_TYPE_H
#define MCP_STORE_CONNECTION_TYPE_H

#include "address.h"
#include "exchange.h"

typedef struct mcp_connection {
	mcp_store store;
	mcp_wire *wire;
	mcp_exchange exchange;
	mcp_buffer room;    /* used while a get_many runs */
	mcp_multi_get many; /* the get_many under way */
	bool has_asked;     /* its first half was made, and said this: */
	mcp_status asked;
	mcp_buffer value;      /* head and body of the record being written */
	mcp_late_writes *late; /* of the process; NULL: none */
	char address[MCP_ADDRESS_MAX];
} mcp_connection;

#endif
