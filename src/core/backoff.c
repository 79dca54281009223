/* Computes pauses but never sleeps: the caller passes the time and the random numbers. Every pause has a cap, and
 * mcp_backoff_next_ms also observes a deadline. */
/* SPDX-License-Identifier: MIT */
#include "backoff.h"

enum {
	/* Limits of a pause of up to 1/8 of the time waited. 2 ms is a few round trips. With pauses of 100 ms, even a long
	 * wait is cheap. */
	WAITING_BASE_MS = 2,
	WAITING_CAP_MS = 100,
	WAITING_SHARE = 8,
	/* A retry of a lost compare-and-swap can succeed after much less than 1 ms. */
	CONTENTION_BASE_MS = 1,
	CONTENTION_CAP_MS = 20,
	FAILURE_BASE_MS = 100,
	/* 100 ms doubled 26 times is above every 32-bit cap. */
	FAILURE_DOUBLINGS_MAX = 26,
};

mcp_backoff mcp_backoff_for_contention(void) {
	return (mcp_backoff){CONTENTION_BASE_MS, CONTENTION_CAP_MS, CONTENTION_BASE_MS};
}

static inline uint64_t smaller(uint64_t a, uint64_t b) {
	return a < b ? a : b;
}

static inline uint64_t larger(uint64_t a, uint64_t b) {
	return a > b ? a : b;
}

/* Uniform between low and high, inclusive, from the upper half of the random number. */
static uint64_t between(uint64_t low, uint64_t high, uint64_t random) {
	return low + (((random >> 32) * (high - low + 1)) >> 32);
}

/* Draw from the upper half of the range, so that concurrent waiters spread out without polling much more often. */
uint32_t mcp_backoff_waiting_ms(uint64_t waited_ms, uint64_t random) {
	uint64_t high_ms = smaller(waited_ms / WAITING_SHARE, WAITING_CAP_MS);
	high_ms = larger(high_ms, WAITING_BASE_MS);
	return (uint32_t)between(larger(high_ms / 2, WAITING_BASE_MS), high_ms, random);
}

uint32_t mcp_backoff_next_ms(mcp_backoff *backoff, uint64_t random, uint64_t now_ms,
	uint64_t deadline_ms) {
	uint64_t low = smaller(backoff->base_ms, backoff->cap_ms);
	uint64_t high = smaller((uint64_t)backoff->last_ms * 3, backoff->cap_ms);
	uint64_t pause_ms = high > low ? between(low, high, random) : low;
	backoff->last_ms = (uint32_t)pause_ms;

	uint64_t left_ms = deadline_ms > now_ms ? deadline_ms - now_ms : 0;
	return (uint32_t)smaller(pause_ms, left_ms);
}

static uint64_t middle_of_failure_pause_ms(uint32_t failures) {
	uint64_t doublings = failures > 0 ? failures - 1 : 0;
	return (uint64_t)FAILURE_BASE_MS << smaller(doublings, FAILURE_DOUBLINGS_MAX);
}

uint64_t mcp_backoff_failure_pause_max_ms(uint32_t failures) {
	uint64_t middle_ms = middle_of_failure_pause_ms(failures);
	return middle_ms + middle_ms / 2;
}

/* Apply the cap before the random spread, so that many failing hosts remain spread at the cap. */
uint32_t mcp_backoff_failure_pause_ms(uint32_t failures, uint64_t random, uint32_t cap_ms) {
	uint64_t middle_ms = smaller(middle_of_failure_pause_ms(failures), cap_ms);
	return (uint32_t)smaller(between(middle_ms / 2, middle_ms + middle_ms / 2, random), cap_ms);
}
