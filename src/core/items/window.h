/* A sliding time window of slots with absolute numbers: slots are not rotated, and slot names are never
 * reused. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_WINDOW_H
#define MCP_CORE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The window sums the current slot and the last `slots` past slots, so that the sum includes the full length. Both
 * values must satisfy mcp_window_is_valid. */
typedef struct mcp_window {
	uint32_t length_s; /* a multiple of slots */
	uint32_t slots;    /* >= 1 */
} mcp_window;

bool mcp_window_is_valid(int64_t length_s, int64_t slots);

/* Number of the current slot. */
uint64_t mcp_window_slot(const mcp_window *window, uint64_t wall_ms);
/* Unix time at which the slot begins. */
uint64_t mcp_window_slot_start_s(const mcp_window *window, uint64_t slot);

/* Remaining time in which a slot's count can be read: while the slot is current or one of the last `slots`, plus 1 s
 * for clock skew. 0: that time has passed. */
uint64_t mcp_window_slot_ttl_ms(const mcp_window *window, uint64_t slot, uint64_t wall_ms);

/* Whether `slot` is in the window while `open` is the current slot. */
bool mcp_window_has(const mcp_window *window, uint64_t open, uint64_t slot);

/* Share of the oldest slot's count that is in an exact window ending now, if the count is spread evenly.
 * Rounded to the nearest integer. */
uint64_t mcp_window_oldest_share(const mcp_window *window, uint64_t wall_ms, uint64_t counted);

/* --- arithmetic of rate limits: slots, waiting times and buckets --- */

/* Maximum limit: sums of counts up to this limit cannot overflow. */
#define MCP_LIMIT_MAX 1000000000000000ull
/* Minimum length of a slot, much longer than an attempt. */
#define MCP_LIMIT_SLOT_MIN_MS 100

/* In the order of the PHP enum. */
typedef enum mcp_limiting {
	MCP_LIMITING_FIXED_WINDOW,
	MCP_LIMITING_SLIDING_WINDOW,
	MCP_LIMITING_TOKEN_BUCKET,
} mcp_limiting;

/* `limit` attempts in `period_ms`. Checked by the caller: slots of at least MCP_LIMIT_SLOT_MIN_MS, and at most
 * 1,000,000 attempts per second for a bucket. */
typedef struct mcp_limit {
	mcp_limiting algorithm;
	uint64_t limit; /* 1 to MCP_LIMIT_MAX */
	uint64_t period_ms;
	uint32_t slots; /* SlidingWindow: number of slots per period */
	uint64_t burst; /* TokenBucket: maximum number of simultaneous attempts, at least 1 */
} mcp_limit;

/* --- slots: FixedWindow and SlidingWindow --- */

/* Length of a slot; a fixed window is one slot. Rounded up, so that all slots together are no shorter than
 * the period. */
uint64_t mcp_limit_slot_ms(const mcp_limit *limit);
/* Absolute number of the current slot. No number is reused. */
uint64_t mcp_limit_slot(const mcp_limit *limit, uint64_t wall_ms);

/* Number of slots that an attempt sums, including the current slot. An interval of the period's length touches at most
 * this number of slots. */
static inline size_t mcp_limit_slots_summed(const mcp_limit *limit) {
	return limit->algorithm == MCP_LIMITING_SLIDING_WINDOW ? (size_t)limit->slots + 1 : 1;
}

/* Time until the slot's last use, plus 2 s for clock skew. 0: that time has passed. */
uint64_t mcp_limit_slot_ttl_ms(const mcp_limit *limit, uint64_t slot, uint64_t wall_ms);

/* Time until an attempt of `cost` is within the limit if no other attempt is admitted. `numbers`: counts of the summed
 * slots, newest first. `sum`: their sum. */
uint64_t mcp_limit_slots_wait_ms(const mcp_limit *limit, const uint64_t *numbers, uint64_t sum,
	uint64_t cost, uint64_t wall_ms);

/* --- the bucket: TokenBucket --- */

/* Generic cell rate algorithm (ITU-T I.371, "virtual scheduling"). The bucket's number is the
 * theoretical arrival time: until then, the admitted attempts keep the bucket busy, at one per
 * interval. */

/* Microseconds per attempt. Rounded up, because rounding down would admit more attempts. */
uint64_t mcp_limit_interval_us(const mcp_limit *limit);

/* Whether an attempt of `cost` is within the limit. *arrival_us: the bucket's number after this attempt. */
bool mcp_limit_bucket_takes(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us,
	uint64_t cost, uint64_t *arrival_us);
uint64_t mcp_limit_bucket_remaining(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us);
uint64_t mcp_limit_bucket_wait_us(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us,
	uint64_t cost);
/* Time until the bucket's number is equivalent to a missing number, plus 2 s for clock skew. */
uint64_t mcp_limit_bucket_ttl_ms(uint64_t arrival_us, uint64_t now_us);

#endif
