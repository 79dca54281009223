/* Which lock is meant, in whose name and for how long: what lock.h and lock_terms.h are asked with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_LOCK_TYPE_H
#define MCP_PATTERNS_LOCK_TYPE_H

#include "../store/store.h"
#include "waiting.h"

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_lock {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_LOCK */
	mcp_bytes owner;    /* stored in the item: the holder's name, not empty */
	uint64_t ttl_ms;    /* > 0; MCP_LOCK_FOREVER: until it is released */
	/* L11: by how much hosts' wall clocks may differ, at most: others take an item over when its end is
	 * so long ago. MCP_LOCK_FOREVER: no wall clock is believed, memcached's TTL ends the item. */
	uint64_t skew_ms;
	mcp_pauses *pauses; /* kept over an interruption; NULL: a wait begins with its call */
} mcp_lock;

#define MCP_LOCK_FOREVER UINT64_MAX
/* What hosts keep that ask a time server. */
#define MCP_LOCK_SKEW_MS 1000

#endif
