/* Converts a TTL to memcached's expiry number. Handles fractions, the 1-second clock, and the limit of 30
 * days above which a number is an absolute time. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_EXPIRY_H
#define MCP_CORE_EXPIRY_H

#include <stdbool.h>
#include <stdint.h>

/* protocol.txt: larger numbers are absolute Unix times. */
#define MCP_EXPIRY_RELATIVE_MAX_S 2592000
/* An absolute time in 1970: the item expires at once, text and binary (measured). */
#define MCP_EXPIRY_PAST 2592001
/* Larger numbers become negative in memcached's 32 bits: the item is stored, but expires at once (measured). */
#define MCP_EXPIRY_ABSOLUTE_MAX_S 2147483647
/* Expiry number of an item that never expires. */
#define MCP_EXPIRY_NEVER 0
/* TTL that never expires. */
#define MCP_TTL_FOREVER 0

/* The expiry number for ttl_ms; 0: never expires.
 * The item lives at least ttl_ms and less than ttl_ms + 2 s. A relative expiry of n seconds lives (n-1, n]
 * on memcached's clock, so 1 s is added.
 * Sometimes it lives up to 1 s less. The server reads its clock later every second (0.6 ms, measured), so
 * that its time advances by 2 s at once about twice per hour. If that matters, the caller must add 1 s.
 * From 30 days on the number is absolute. The item then lives less than ttl_ms + 3 s, because the server's
 * wall clock has its own phase. Both hosts' clocks must agree. An end after January 2038, which memcached
 * does not support, becomes never. */
int64_t mcp_expiry_from_ttl(uint64_t ttl_ms, uint64_t wall_ms);
/* Whether the number depends on wall_ms: only for long TTLs. */
static inline bool mcp_expiry_needs_wall(uint64_t ttl_ms) {
	/* 1 s is added. */
	return ttl_ms > (uint64_t)(MCP_EXPIRY_RELATIVE_MAX_S - 1) * 1000;
}

#endif
