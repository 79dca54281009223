/* The contract of store.h over one wire: what is checked before a request, what a failure means to the
 * caller, when to try again, and when to leave a server alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CONNECTION_H
#define MCP_STORE_CONNECTION_H

#include "wire.h"

/* Takes the wire over, whatever happens; NULL when it is NULL or memory ran out. */
mcp_store *mcp_connection_create(mcp_wire *wire, const mcp_server_settings *settings,
	const mcp_environment *environment);

#endif
