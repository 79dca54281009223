/* Which rate limiter is meant, and what it is asked for: what rate_limiter.h and rate_bucket.h share. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_RATE_TYPE_H
#define MCP_PATTERNS_RATE_TYPE_H

#include "../core/limit.h"
#include "../store/store.h"

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_rate {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_RATE: who is limited by which name */
	const mcp_limit *limit;
} mcp_rate;

/* What is left, and how long until one more is admitted: 0 when there is some. */
typedef struct mcp_rate_state {
	uint64_t remaining;
	uint64_t wait_us;
} mcp_rate_state;

#endif
