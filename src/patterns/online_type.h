/* Which online counter is meant: what online_counter.h and online_slots.h are asked with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_ONLINE_TYPE_H
#define MCP_PATTERNS_ONLINE_TYPE_H

#include "../core/window.h"
#include "../store/store.h"

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_online {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_ONLINE, without a slot */
	mcp_bytes name;     /* as the user gave it: marks are hashed from it */
	mcp_window window;
} mcp_online;

#endif
