/* How long to pause before the next look or try. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BACKOFF_H
#define MCP_CORE_BACKOFF_H

#include <stdint.h>

/* Makes a pause while another process works: a half to a whole eighth of what has been waited so far, at least
 * 2 ms and at most 100 ms. So a result is seen at most an eighth of the wait after it came, and a wait of 2.5 s
 * looks 77 times on average, 108 times at most. */
uint32_t mcp_backoff_waiting_ms(uint64_t waited_ms, uint64_t random);

/* After a lost race, decorrelated jitter (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture
 * Blog, 2015): each pause is random from the base to thrice the last. */
typedef struct mcp_backoff {
	uint32_t base_ms, cap_ms;
	uint32_t last_ms;
} mcp_backoff;

/* Makes a backoff for lost compare-and-swaps: 1 to 20 ms. */
mcp_backoff mcp_backoff_for_contention(void);

/* Makes the next pause, never longer than what is left until the deadline (both on one clock). */
uint32_t mcp_backoff_next_ms(mcp_backoff *backoff, uint64_t random, uint64_t now_ms,
	uint64_t deadline_ms);

/* Makes the pause after the n-th failure in a row (n >= 1): 100 ms doubling, spread by half, capped. */
uint32_t mcp_backoff_failure_pause_ms(uint32_t failures, uint64_t random, uint32_t cap_ms);
/* Bounds the pauses after so many failures: none is longer, whatever its cap was. */
uint64_t mcp_backoff_failure_pause_max_ms(uint32_t failures);

#endif
