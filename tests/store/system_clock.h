/* The system's clocks, for tests that meet real servers, threads or processes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TEST_SYSTEM_CLOCK_H
#define MCP_TEST_SYSTEM_CLOCK_H

#include "../../src/core/environment.h"

#include <time.h>

static inline uint64_t system_clock_ms(clockid_t clock) {
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Returns the wall clock's time as an environment does; the next one the monotonic clock's. */
static inline uint64_t system_clock_wall_ms(const mcp_environment *environment) {
	return system_clock_ms(CLOCK_REALTIME);
}
static inline uint64_t system_clock_monotonic_ms(const mcp_environment *environment) {
	return system_clock_ms(CLOCK_MONOTONIC);
}

#endif
