/* Converts a lifetime into memcached's expiry number without its traps: fractions, the second-wide
 * clock, and the thirty days above which a number is an absolute time. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_EXPIRY_H
#define MCP_CORE_EXPIRY_H

#include <stdbool.h>
#include <stdint.h>

/* protocol.txt: larger numbers are absolute Unix times. */
#define MCP_EXPIRY_RELATIVE_MAX_S 2592000
/* An absolute second of 1970: what is stored with it is gone at once, text and binary
 * (measured). */
#define MCP_EXPIRY_PAST 2592001
/* A larger number turns negative in memcached's 32 bits: stored, and gone at once (measured). */
#define MCP_EXPIRY_ABSOLUTE_MAX_S 2147483647
/* The expiry number of an item that never expires. */
#define MCP_EXPIRY_NEVER 0
/* A lifetime that never ends. */
#define MCP_TTL_FOREVER 0

/* Makes the expiry to send for a ttl_ms, of which 0 is forever. The item then lives at least ttl_ms and less
 * than ttl_ms + 2 s: a relative expiry of n seconds lives (n-1, n] on memcached's clock, so one second more is
 * asked for. Less by up to a second now and then: memcached looks at its clock a little later every second (0.6
 * ms, measured), so that about twice an hour its time goes on by two seconds at once. A caller that must not
 * lose that second asks for one more itself. From thirty days on the number is absolute, and three things
 * change: the item lives less than ttl_ms + 3 s (the server's wall clock has a phase of its own), both hosts'
 * clocks must agree, and an end after January 2038, which memcached cannot be told, becomes never. */
int64_t mcp_expiry_from_ttl(uint64_t ttl_ms, uint64_t wall_ms);
/* Says whether that depends on wall_ms: only for what lives long. */
static inline bool mcp_expiry_needs_wall(uint64_t ttl_ms) {
	/* A second more is asked for. */
	return ttl_ms > (uint64_t)(MCP_EXPIRY_RELATIVE_MAX_S - 1) * 1000;
}

#endif
