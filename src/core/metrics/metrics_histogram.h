/* How many things took how long, by powers of two: one addition a thing, and bounds that need no settings. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_METRICS_HISTOGRAM_H
#define MCP_CORE_METRICS_HISTOGRAM_H

#include "../compiler.h"

#include <stddef.h>
#include <stdint.h>

/* Milliseconds: 1, 2, 4 ... 131072, and above. */
#define MCP_COMPUTE_TIMES 19
/* Nanoseconds: 2^14, 2^15 ... 2^33, and above. */
#define MCP_ROUND_TRIPS 21
#define MCP_ROUND_TRIPS_FIRST 14

/* Finds the first of `count` places whose bound, 2^(first + place), is not below `value`; the last one has no
 * bound. */
static inline size_t mcp_histogram_place(uint64_t value, unsigned first, size_t count) {
	size_t place = mcp_width_of((value - (value > 0)) >> first);
	return place < count ? place : count - 1;
}

static inline uint64_t mcp_histogram_bound(size_t place, unsigned first) {
	return (uint64_t)1 << (first + place);
}

#endif
