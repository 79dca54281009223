/* Time limit of a request and its reply: the timeout, and one more timeout per 64 KiB that were transferred.
 * A slower server counts as unresponsive, even if it sends steadily. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_DEADLINE_H
#define MCP_STORE_DEADLINE_H

#include "../../core/environment.h"

#define MCP_DEADLINE_BYTES_PER_TIMEOUT 65536

typedef struct mcp_deadline {
	const mcp_environment *environment;
	uint64_t began_ms; /* monotonic time */
	uint32_t timeout_ms;
	size_t moved;  /* bytes that the caller had to wait for */
	bool is_fresh; /* no wait yet */
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

/* Restarts the time. */
static inline void mcp_deadline_begin_again(mcp_deadline *deadline) {
	deadline->began_ms = mcp_monotonic_ms(deadline->environment);
	deadline->moved = 0;
	deadline->is_fresh = true;
}

/* Returns the longest duration of the next wait; 0: timeout. Reads no clock for the first wait. */
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
