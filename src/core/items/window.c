/* Arithmetic of time slots, and of rate limits: slots, waiting times and the state of a bucket. */
/* SPDX-License-Identifier: MIT */
#include "window.h"

#define MILLISECONDS 1000
/* Clock skew, and a margin for expiry in whole seconds. */
#define SKEW_MS 1000

static inline uint64_t slot_length_ms(const mcp_window *window) {
	return (uint64_t)(window->length_s / window->slots) * MILLISECONDS;
}

bool mcp_window_is_valid(int64_t length_s, int64_t slots) {
	return slots >= 1 && length_s >= slots && length_s <= UINT32_MAX && length_s % slots == 0;
}

uint64_t mcp_window_slot(const mcp_window *window, uint64_t wall_ms) {
	return wall_ms / slot_length_ms(window);
}

uint64_t mcp_window_slot_start_s(const mcp_window *window, uint64_t slot) {
	return slot * (window->length_s / window->slots);
}

uint64_t mcp_window_slot_ttl_ms(const mcp_window *window, uint64_t slot, uint64_t wall_ms) {
	uint64_t end_ms = (slot + window->slots + 1) * slot_length_ms(window) + SKEW_MS;
	return end_ms > wall_ms ? end_ms - wall_ms : 0;
}

bool mcp_window_has(const mcp_window *window, uint64_t open, uint64_t slot) {
	return slot <= open && open - slot <= window->slots;
}

/* Doubles are exact enough: a share of more than 2^53 visitors is an estimate anyway. */
uint64_t mcp_window_oldest_share(const mcp_window *window, uint64_t wall_ms, uint64_t counted) {
	uint64_t length_ms = slot_length_ms(window);
	double left = (double)(length_ms - wall_ms % length_ms) / (double)length_ms;
	return (uint64_t)((double)counted * left + 0.5);
}

/* Rate limits. All rounding admits less, not more. */

/* Clock skew, and a margin for expiry in whole seconds. */
#define LIMIT_SKEW_MS 2000
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
	uint64_t end_ms =
		(slot + mcp_limit_slots_summed(limit)) * mcp_limit_slot_ms(limit) + LIMIT_SKEW_MS;
	return end_ms > wall_ms ? end_ms - wall_ms : 0;
}

/* Advance slot by slot; each time, the oldest slot leaves the sum. */
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
	return divide_up(arrival_us - now_us, MICROSECONDS) + LIMIT_SKEW_MS;
}
