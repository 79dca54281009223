/* The production mcp_environment of a thread: clocks, randomness and sleep. McPatterns\Clock can freeze and advance the
 * clocks for users' tests. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_ENVIRONMENT_H
#define MCP_PHP_ENVIRONMENT_H

#include "../../core/environment.h"

#include "process.h"

#include <stdbool.h>

/* Size of a batch of the kernel's random numbers: one system call serves many tokens. */

#define MCP_RANDOM_NUMBERS 32

/* Random numbers of one thread; zero-initialize. A number is wiped when it is taken, and a forked child discards its
 * parent's numbers. */
typedef struct mcp_randomness {
	uint64_t numbers[MCP_RANDOM_NUMBERS];
	unsigned left;
	pid_t fetched_by;
} mcp_randomness;

/* Changes made by McPatterns\Clock. The wall clock is `frozen_at_ms`, or the system time plus `wall_offset_ms`. The
 * monotonic clock never stops, so that waits end, and is advanced by `monotonic_offset_ms`. */
typedef struct mcp_clock {
	bool is_frozen;
	uint64_t frozen_at_ms;
	uint64_t wall_offset_ms;
	uint64_t monotonic_offset_ms; /* only grows, even across requests */
	mcp_failing failing;
	uint64_t noted_ms; /* see php_mcp_environment_keep_next_reading(); 0: no reading yet */
} mcp_clock;

/* Fill in the environment. `clock` is borrowed and must outlive the environment. */
void php_mcp_environment_init(mcp_environment *environment, mcp_clock *clock);

/* This thread's environment, valid as long as the thread. */
const mcp_environment *php_mcp_environment_get(void);

/* Record the next reading of this thread's monotonic clock. This saves a reading for a call that needs its start time
 * only if the call must wait, and whose first request reads the clock anyway. */
void php_mcp_environment_keep_next_reading(void);
/* Get the recorded time. Reads the clock if there was no reading. */
uint64_t php_mcp_environment_noted_ms(void);

/* System's wall clock in nanoseconds. */
uint64_t php_mcp_environment_wall_ns(void);
/* System's monotonic clock in nanoseconds, unaffected by McPatterns\Clock, for measurements. */
uint64_t php_mcp_environment_measure_ns(void);
/* Elapsed milliseconds, rounded up to at least 1. */
uint32_t php_mcp_environment_elapsed_ms(uint64_t since_ns);

/* Freeze the wall clock. A time later than the current time also advances the monotonic clock, which never goes
 * back. */
void php_mcp_environment_freeze_clock(mcp_clock *clock, uint64_t wall_ms);
/* Advance both clocks, frozen or not. */
void php_mcp_environment_advance_clock(mcp_clock *clock, uint64_t duration_ms);
/* Return to the system time. Affects the monotonic clock as a freeze at that time would. */
void php_mcp_environment_unfreeze_clock(void);

#endif
