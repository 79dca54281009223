/* The arithmetic of rate limits: which slot a moment is in and how long its number matters, how long until
 * there is room again, and the one number of a bucket. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_LIMIT_H
#define MCP_CORE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums of so many cannot overflow. */
#define MCP_LIMIT_MAX 1000000000000000ull
/* A slot is longer than what an attempt takes by far. */
#define MCP_LIMIT_SLOT_MIN_MS 100

/* In the order of the PHP enum. */
typedef enum mcp_limiting {
	MCP_LIMITING_FIXED_WINDOW,
	MCP_LIMITING_SLIDING_WINDOW,
	MCP_LIMITING_TOKEN_BUCKET,
} mcp_limiting;

/* `limit` attempts in `period_ms`. The caller has judged them: slots of MCP_LIMIT_SLOT_MIN_MS at least, a
 * bucket of a million a second at most. */
typedef struct mcp_limit {
	mcp_limiting algorithm;
	uint64_t limit; /* 1 to MCP_LIMIT_MAX */
	uint64_t period_ms;
	uint32_t slots; /* SlidingWindow: into how many the period is cut */
	uint64_t burst; /* TokenBucket: how many at once, at least 1 */
} mcp_limit;

/* --- slots: FixedWindow and SlidingWindow --- */

/* Returns a slot's length; a window is a slot of its own. Rounded up, so that all slots together are no shorter
 * than the period. */
uint64_t mcp_limit_slot_ms(const mcp_limit *limit);
/* Returns the slot's absolute number, so that no number is used twice. */
uint64_t mcp_limit_slot(const mcp_limit *limit, uint64_t wall_ms);

/* Counts the slots that an attempt sums up, the one that is going on included. An interval of the period's
 * length touches no more of them. */
static inline size_t mcp_limit_slots_summed(const mcp_limit *limit) {
	return limit->algorithm == MCP_LIMITING_SLIDING_WINDOW ? (size_t)limit->slots + 1 : 1;
}

/* Lasts through the slot's last use, and two seconds more for clocks that differ. 0: that is over. */
uint64_t mcp_limit_slot_ttl_ms(const mcp_limit *limit, uint64_t slot, uint64_t wall_ms);

/* Returns the time from now until `cost` more is within the limit, if nothing else is admitted. `numbers` are
 * those of the slots that are summed up, the newest first, `sum` theirs. */
uint64_t mcp_limit_slots_wait_ms(const mcp_limit *limit, const uint64_t *numbers, uint64_t sum,
	uint64_t cost, uint64_t wall_ms);

/* --- the bucket: TokenBucket --- */

/* The generic cell rate algorithm (ITU-T I.371, "virtual scheduling"). Its one number is the theoretical
 * arrival time: until when what was admitted keeps the bucket busy, at one each interval. */

/* Returns the microseconds for each of the limit, rounded up: rounded down it would admit more. */
uint64_t mcp_limit_interval_us(const mcp_limit *limit);

/* True if `cost` more is within the limit; then *arrival_us is the number that says so. */
bool mcp_limit_bucket_takes(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us,
	uint64_t cost, uint64_t *arrival_us);
uint64_t mcp_limit_bucket_remaining(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us);
uint64_t mcp_limit_bucket_wait_us(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us,
	uint64_t cost);
/* Lasts until the number says no more than none would, and two seconds more for clocks that differ. */
uint64_t mcp_limit_bucket_ttl_ms(uint64_t arrival_us, uint64_t now_us);

#endif
