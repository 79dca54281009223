/* The production side of mcp_environment: the system's clocks, randomness and sleep, for one thread.
 * The clock can be frozen and advanced (McPatterns\Clock), for users' tests. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_ENVIRONMENT_H
#define MCP_PHP_ENVIRONMENT_H

#include "../../core/environment.h"

#include <stdbool.h>

/* The changes that McPatterns\Clock made. The wall clock shows `frozen_at_ms` while it is frozen, and the
 * system's time plus `wall_offset_ms` otherwise; the monotonic clock runs on always, moved forward by
 * `monotonic_offset_ms`, so that no deadline is ever waited for in vain. */
typedef struct mcp_clock {
	bool is_frozen;
	uint64_t frozen_at_ms;
	uint64_t wall_offset_ms;
	uint64_t monotonic_offset_ms; /* only grows, also across requests: monotonic means monotonic */
	uint64_t noted_ms;            /* see php_mcp_environment_note_next(); 0: not yet */
} mcp_clock;

/* Fills the environment in; `clock` is borrowed and must outlive it. */
void php_mcp_environment_init(mcp_environment *environment, mcp_clock *clock);

/* Returns this thread's environment, which lives as long as the thread. */
const mcp_environment *php_mcp_environment_get(void);

/* Notes the next reading of this thread's monotonic clock, whoever makes it: for a call that needs to know when it began only if
 * it does not end at once, and asks a server first, for which the clock is read anyway. */
void php_mcp_environment_note_next(void);
/* Returns what was noted since then; reads the clock if nothing was. */
uint64_t php_mcp_environment_noted_ms(void);

/* Returns the system's monotonic clock in nanoseconds, whatever McPatterns\Clock says: to measure with. */
uint64_t php_mcp_environment_measure_ns(void);
/* Counts the milliseconds since then, rounded up: whatever was done took at least one. */
uint32_t php_mcp_environment_elapsed_ms(uint64_t since_ns);

/* Moves the monotonic clock by as much as the time becomes later; it never goes back. */
void php_mcp_clock_freeze(mcp_clock *clock, uint64_t wall_ms);
/* Moves both clocks forward, frozen or not. */
void php_mcp_clock_advance(mcp_clock *clock, uint64_t duration_ms);
/* Goes back to the system's time, as if that were frozen and ran on. */
void php_mcp_clock_unfreeze(void);

#endif
