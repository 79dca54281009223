/* Computes the pause before the next read or try. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_BACKOFF_H
#define MCP_CORE_BACKOFF_H

#include <stdint.h>

/* Pause while another process works: between 1/16 and 1/8 of the time waited so far, at least 2 ms and at most 100 ms.
 * A waiter therefore notices a result with a delay of at most 1/8 of the time waited. In 2.5 s, a waiter reads 77 times
 * on average, at most 108 times. */
uint32_t mcp_backoff_waiting_ms(uint64_t waited_ms, uint64_t random);

/* After a lost race: decorrelated jitter (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture
 * Blog, 2015). Each pause is random between the base and 3 times the last pause. */
typedef struct mcp_backoff {
	uint32_t base_ms, cap_ms;
	uint32_t last_ms;
} mcp_backoff;

/* Backoff for lost compare-and-swaps: 1 to 20 ms. */
mcp_backoff mcp_backoff_for_contention(void);

/* Next pause. It never extends past the deadline. `now_ms` and the deadline are on one clock. */
uint32_t mcp_backoff_next_ms(mcp_backoff *backoff, uint64_t random, uint64_t now_ms,
	uint64_t deadline_ms);

/* Pause after the n-th consecutive failure (n >= 1): 100 ms, doubled each time, varied at random by up to half, and
 * capped. */
uint32_t mcp_backoff_failure_pause_ms(uint32_t failures, uint64_t random, uint32_t cap_ms);
/* Upper limit of the pause after this number of failures, for any cap. */
uint64_t mcp_backoff_failure_pause_max_ms(uint32_t failures);

#endif
