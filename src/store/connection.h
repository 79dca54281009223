/* The contract of store.h over one wire: what is checked before a request, what a failure means to the
 * caller, when to try again, and when to leave a server alone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CONNECTION_H
#define MCP_STORE_CONNECTION_H

#include "wire.h"

/* `settings` are the wire's, `retry_after_ms` is the breaker's pause; the environment is borrowed and must
 * outlive the store. Takes the wire over, whatever happens; NULL when it is NULL or memory ran out. */
mcp_store *mcp_connection_create(mcp_wire *wire, const mcp_wire_settings *settings,
	uint32_t retry_after_ms, const mcp_environment *environment);

#endif
