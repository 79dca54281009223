/* Circuit breaker of one server: after a failure, the server is skipped for a time, so that only one call
 * pays the timeout. The caller passes the monotonic clock. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BREAKER_H
#define MCP_CORE_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mcp_breaker {
	uint64_t open_until_ms; /* 0: closed */
	unsigned insisted;      /* reasons (bits) for which it was bypassed since the last success */
} mcp_breaker;

static inline bool mcp_breaker_is_closed(const mcp_breaker *breaker) {
	return breaker->open_until_ms == 0;
}

static inline bool mcp_breaker_allows(const mcp_breaker *breaker, uint64_t now_ms) {
	return now_ms >= breaker->open_until_ms;
}

/* Whether there was a failure since the last success. */
static inline bool mcp_breaker_was_tripped(const mcp_breaker *breaker) {
	return breaker->open_until_ms != 0 || breaker->insisted != 0;
}

static inline void mcp_breaker_trip(mcp_breaker *breaker, uint64_t now_ms, uint32_t pause_ms) {
	breaker->open_until_ms = now_ms + pause_ms;
}

static inline void mcp_breaker_close(mcp_breaker *breaker) {
	*breaker = (mcp_breaker){0};
}

/* Let the next call through despite a failure, once per reason (a bit) in an outage. */
static inline void mcp_breaker_insist(mcp_breaker *breaker, unsigned reason) {
	if ((breaker->insisted & reason) == 0) {
		breaker->insisted |= reason;
		breaker->open_until_ms = 0;
	}
}

#endif
