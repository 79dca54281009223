/* Rate limits for attempts of all processes: decides whether an attempt is within the limit, and counts it. The
 * result of an atomic command decides, never an earlier read (R3). The rules are in docs/spec/rate-limiter.md under
 * the labels used here (R1, R2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_RATE_LIMITER_RATE_LIMITER_H
#define MCP_PATTERNS_RATE_LIMITER_RATE_LIMITER_H

#include "../../core/items/window.h"
#include "../../store/store.h"
#include "../slots_scratch.h"

/* Owns nothing; built on the stack for each call. */
typedef struct mcp_rate {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* key in MCP_SPACE_RATE, with the limiter's name and the limited client */
	const mcp_limit *limit;
} mcp_rate;

/* Cost that is still within the limit, and time until an attempt with the requested cost is admitted; 0: now. */
typedef struct mcp_rate_state {
	uint64_t remaining;
	uint64_t wait_us;
} mcp_rate_state;

/* Make an attempt. *is_admitted: the attempt is within the limit, and was counted. A rejected attempt is not counted,
 * except in a FixedWindow (R2). MCP_OK. MCP_NOT_A_NUMBER. MCP_EXISTS: not counted, because this process was paused
 * across the ends of 3 slots, or because of contention on the bucket. MCP_UNKNOWN: the attempt might have been
 * counted (R5). Or another failure. Cost: FixedWindow 1 round trip, 2 for the first attempt of a window.
 * SlidingWindow 2 (rarely 3), or 1 if rejected. TokenBucket 2, or 1 if rejected. */
mcp_status mcp_rate_attempt(const mcp_rate *rate, const mcp_slots_scratch *scratch, uint64_t cost,
	bool *is_admitted);

/* Read the state for an attempt with this cost. MCP_OK, MCP_NOT_A_NUMBER or a failure. Cost: 1 round trip per 8,000
 * bytes of keys. */
mcp_status mcp_rate_read_state(const mcp_rate *rate, const mcp_slots_scratch *scratch,
	uint64_t cost, mcp_rate_state *state);

/* Delete all attempts that were counted before the call, also items that are not numbers. MCP_OK or a failure. Cost:
 * 1 round trip, and 1 per slot that has a number. */
mcp_status mcp_rate_reset(const mcp_rate *rate, const mcp_slots_scratch *scratch);

#endif
