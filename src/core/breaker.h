/* The circuit breaker of one server: after a failure it is left alone for a while, so that one call
 * pays the timeout and the following ones nothing. The caller passes the monotonic clock. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BREAKER_H
#define MCP_CORE_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mcp_breaker {
	uint64_t open_until_ms; /* 0: closed */
	unsigned insisted;      /* the reasons it was closed for, since the last success */
} mcp_breaker;

static inline bool mcp_breaker_is_closed(const mcp_breaker *breaker) {
	return breaker->open_until_ms == 0;
}

static inline bool mcp_breaker_allows(const mcp_breaker *breaker, uint64_t now_ms) {
	return now_ms >= breaker->open_until_ms;
}

/* Says whether there was a failure since the last success, which is to be closed. */
static inline bool mcp_breaker_was_tripped(const mcp_breaker *breaker) {
	return breaker->open_until_ms != 0 || breaker->insisted != 0;
}

static inline void mcp_breaker_trip(mcp_breaker *breaker, uint64_t now_ms, uint32_t pause_ms) {
	breaker->open_until_ms = now_ms + pause_ms;
}

/* Closes it after a success. */
static inline void mcp_breaker_close(mcp_breaker *breaker) {
	*breaker = (mcp_breaker){0};
}

/* Lets the next call through in spite of a failure, once for each reason (a bit) in an outage. */
static inline void mcp_breaker_insist(mcp_breaker *breaker, unsigned reason) {
	if ((breaker->insisted & reason) == 0) {
		breaker->insisted |= reason;
		breaker->open_until_ms = 0;
	}
}

#endif
