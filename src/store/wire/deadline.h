/* How long a request and its answer may take together: the timeout, and one more for each so many bytes that
 * have moved. A server that is slower than that is as good as silent, however regularly its bytes drip. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_DEADLINE_H
#define MCP_STORE_DEADLINE_H

#include "../../core/environment.h"

#define MCP_DEADLINE_BYTES_PER_TIMEOUT 65536

typedef struct mcp_deadline {
	const mcp_environment *environment;
	uint64_t began_ms; /* of the monotonic clock */
	uint32_t timeout_ms;
	size_t moved;  /* bytes that were waited for */
	bool is_fresh; /* it has just begun: nothing was waited for yet */
} mcp_deadline;

static inline uint64_t mcp_deadline_allowed_ms(uint32_t timeout_ms, size_t moved) {
	return (uint64_t)timeout_ms * (1 + moved / MCP_DEADLINE_BYTES_PER_TIMEOUT);
}

static inline mcp_deadline mcp_deadline_begin(const mcp_environment *environment,
	uint32_t timeout_ms) {
	return (mcp_deadline){
		.environment = environment,
		.began_ms = mcp_monotonic_ms(environment),
		.timeout_ms = timeout_ms,
		.is_fresh = true,
	};
}

/* Gives as much time once more, from now on. */
static inline void mcp_deadline_begin_again(mcp_deadline *deadline) {
	deadline->began_ms = mcp_monotonic_ms(deadline->environment);
	deadline->moved = 0;
	deadline->is_fresh = true;
}

/* Says how long the next wait may take. Reads no clock for the first one. 0: the time is over. */
static inline uint64_t mcp_deadline_left_ms(mcp_deadline *deadline) {
	uint64_t allowed_ms = mcp_deadline_allowed_ms(deadline->timeout_ms, deadline->moved);
	if (deadline->is_fresh) {
		deadline->is_fresh = false;
		return allowed_ms;
	}
	uint64_t passed_ms = mcp_monotonic_ms(deadline->environment) - deadline->began_ms;
	return passed_ms < allowed_ms ? allowed_ms - passed_ms : 0;
}

#endif
