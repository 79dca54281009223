/* A limit on attempts, by numbers that many processes share: says whether one more is within it, and counts it. The
 * answer of an atomic command decides, never what was read before it (R3).
 *
 * The rules are in docs/spec/rate-limiter.md under the names used here (R1, R2 ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_RATE_LIMITER_RATE_LIMITER_H
#define MCP_PATTERNS_RATE_LIMITER_RATE_LIMITER_H

#include "../../core/items/limit.h"
#include "../../store/store.h"
#include "../slots_scratch.h"

/* Borrows everything; made on the stack for each call. */
typedef struct mcp_rate {
	mcp_store *store;
	const mcp_environment *environment;
	const mcp_key *key; /* of MCP_SPACE_RATE: who is limited by which name */
	const mcp_limit *limit;
} mcp_rate;

/* The rest that is left, and how long until a cost is admitted: 0 if it would be now. */
typedef struct mcp_rate_state {
	uint64_t remaining;
	uint64_t wait_us;
} mcp_rate_state;

/* Attempts; *is_admitted: `cost` more is within the limit, and counted. A refused attempt uses nothing up, but
 * in a FixedWindow (R2). MCP_OK; MCP_NOT_A_NUMBER; MCP_EXISTS: this process stood still over the ends of three slots,
 * or others kept changing the bucket, and nothing was counted; or a failure, of which MCP_UNKNOWN may have
 * counted (R5). Round trips: a FixedWindow 1, 2 for its first; SlidingWindow 2, refused 1, rarely 3; TokenBucket 2, refused 1. */
mcp_status mcp_rate_attempt(const mcp_rate *rate, const mcp_slots_scratch *scratch, uint64_t cost,
	bool *is_admitted);

/* Looks, and says how long to wait for `cost`: MCP_OK, MCP_NOT_A_NUMBER or a failure. One round trip for each 8,000 bytes of
 * keys. */
mcp_status mcp_rate_look(const mcp_rate *rate, const mcp_slots_scratch *scratch, uint64_t cost,
	mcp_rate_state *state);

/* Forgets what was counted before the call. MCP_OK or a failure. One round trip, and one for each slot in which
 * there was something. */
mcp_status mcp_rate_reset(const mcp_rate *rate, const mcp_slots_scratch *scratch);

#endif
