/* The circuit breaker of one server: after a failure it is left alone for a while, so that one call
 * pays the timeout and the following ones nothing. The caller passes the monotonic clock. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BREAKER_H
#define MCP_CORE_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct mcp_breaker {
	uint64_t open_until_ms; /* 0: closed */
} mcp_breaker;

static inline bool mcp_breaker_allows(const mcp_breaker *breaker, uint64_t now_ms) {
	return now_ms >= breaker->open_until_ms;
}

static inline void mcp_breaker_trip(mcp_breaker *breaker, uint64_t now_ms, uint32_t pause_ms) {
	breaker->open_until_ms = now_ms + pause_ms;
}

static inline void mcp_breaker_close(mcp_breaker *breaker) {
	breaker->open_until_ms = 0;
}

#endif
