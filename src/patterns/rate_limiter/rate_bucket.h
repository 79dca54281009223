/* The half of a rate limiter that is a bucket: one number that is changed by compare-and-swap. Private to
 * src/patterns/rate_*.c. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_RATE_BUCKET_H
#define MCP_PATTERNS_RATE_BUCKET_H

#include "rate_limiter.h"

/* Does what mcp_rate_attempt does, and the next what mcp_rate_look does; `key` is the number's own. */
mcp_status mcp_rate_bucket_attempt(const mcp_rate *rate, const mcp_key *key, uint64_t cost,
	bool *is_admitted);
mcp_status mcp_rate_bucket_look(const mcp_rate *rate, const mcp_key *key, uint64_t cost,
	mcp_rate_state *state);

#endif
