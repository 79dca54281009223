/* Computes slots, waiting times and the state of a bucket. All rounding admits less, not more. */
/* SPDX-License-Identifier: MIT */
#include "limit.h"

/* Clock skew, and a margin for expiry in whole seconds. */
#define SKEW_MS 2000
#define MICROSECONDS 1000 /* per millisecond */

static inline uint64_t divide_up(uint64_t dividend, uint64_t divisor) {
	return dividend / divisor + (dividend % divisor != 0);
}

static inline uint64_t larger(uint64_t a, uint64_t b) {
	return a > b ? a : b;
}

uint64_t mcp_limit_slot_ms(const mcp_limit *limit) {
	bool is_sliding = limit->algorithm == MCP_LIMITING_SLIDING_WINDOW;
	return is_sliding ? divide_up(limit->period_ms, limit->slots) : limit->period_ms;
}

uint64_t mcp_limit_slot(const mcp_limit *limit, uint64_t wall_ms) {
	return wall_ms / mcp_limit_slot_ms(limit);
}

uint64_t mcp_limit_slot_ttl_ms(const mcp_limit *limit, uint64_t slot, uint64_t wall_ms) {
	uint64_t end_ms = (slot + mcp_limit_slots_summed(limit)) * mcp_limit_slot_ms(limit) + SKEW_MS;
	return end_ms > wall_ms ? end_ms - wall_ms : 0;
}

/* Advance slot by slot; each time the oldest one leaves the sum. */
uint64_t mcp_limit_slots_wait_ms(const mcp_limit *limit, const uint64_t *numbers, uint64_t sum,
	uint64_t cost, uint64_t wall_ms) {
	uint64_t slot_ms = mcp_limit_slot_ms(limit);
	uint64_t wait_ms = 0;
	uint64_t next_ms = slot_ms - wall_ms % slot_ms;
	size_t left = mcp_limit_slots_summed(limit);
	for (; left > 0 && sum + cost > limit->limit; left--) {
		sum -= numbers[left - 1];
		wait_ms = next_ms;
		next_ms += slot_ms;
	}
	return wait_ms;
}

uint64_t mcp_limit_interval_us(const mcp_limit *limit) {
	return divide_up(limit->period_ms * MICROSECONDS, limit->limit);
}

static uint64_t burst_us(const mcp_limit *limit) {
	return limit->burst * mcp_limit_interval_us(limit);
}

bool mcp_limit_bucket_takes(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us,
	uint64_t cost, uint64_t *arrival_us) {
	*arrival_us = larger(stored_us, now_us) + cost * mcp_limit_interval_us(limit);
	return *arrival_us - now_us <= burst_us(limit);
}

uint64_t mcp_limit_bucket_remaining(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us) {
	uint64_t busy_us = larger(stored_us, now_us) - now_us;
	uint64_t whole_us = burst_us(limit);
	return busy_us < whole_us ? (whole_us - busy_us) / mcp_limit_interval_us(limit) : 0;
}

uint64_t mcp_limit_bucket_wait_us(const mcp_limit *limit, uint64_t stored_us, uint64_t now_us,
	uint64_t cost) {
	uint64_t arrival_us;
	if (mcp_limit_bucket_takes(limit, stored_us, now_us, cost, &arrival_us)) {
		return 0;
	}
	return arrival_us - now_us - burst_us(limit);
}

uint64_t mcp_limit_bucket_ttl_ms(uint64_t arrival_us, uint64_t now_us) {
	return divide_up(arrival_us - now_us, MICROSECONDS) + SKEW_MS;
}
