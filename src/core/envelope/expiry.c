/* Computes memcached's expiry numbers: rounding, the additional second for its coarse clock, and the choice
 * of relative or absolute time. */
/* SPDX-License-Identifier: MIT */
#include "expiry.h"

#define MILLISECONDS 1000
/* memcached's clock ticks once per second, up to 1 s apart from ours. */
#define CLOCK_GRAIN_S 1

static uint64_t whole_seconds_up(uint64_t duration_ms) {
	return duration_ms > 0 ? (duration_ms - 1) / MILLISECONDS + 1 : 0;
}

static int64_t absolute(uint64_t ttl_ms, uint64_t wall_ms) {
	if (ttl_ms > UINT64_MAX - wall_ms) {
		return MCP_EXPIRY_NEVER;
	}
	uint64_t end_s = whole_seconds_up(wall_ms + ttl_ms) + CLOCK_GRAIN_S;
	return end_s > MCP_EXPIRY_ABSOLUTE_MAX_S ? MCP_EXPIRY_NEVER : (int64_t)end_s;
}

static inline uint64_t relative(uint64_t ttl_ms) {
	return whole_seconds_up(ttl_ms) + CLOCK_GRAIN_S;
}

int64_t mcp_expiry_from_ttl(uint64_t ttl_ms, uint64_t wall_ms) {
	if (ttl_ms == MCP_TTL_FOREVER) {
		return MCP_EXPIRY_NEVER;
	}
	uint64_t relative_s = relative(ttl_ms);
	if (relative_s <= MCP_EXPIRY_RELATIVE_MAX_S) {
		return (int64_t)relative_s;
	}
	return absolute(ttl_ms, wall_ms);
}
