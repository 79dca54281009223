/* The steps of a connection, for its table, as steps.h has them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CONNECTION_STEPS_H
#define MCP_STORE_CONNECTION_STEPS_H

#include "../steps.h"
#include "connection.h"

void mcp_connection_steps(mcp_store *store, mcp_store_step *steps, size_t count);

#endif
