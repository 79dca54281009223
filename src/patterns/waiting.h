/* One pause of waiting for another process: the one place where patterns wait, so that every wait ends at
 * its deadline, and as soon as the caller has something else to run. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_WAITING_H
#define MCP_PATTERNS_WAITING_H

#include "../core/backoff.h"
#include "../core/environment.h"

typedef enum mcp_wait {
	MCP_WAIT_AGAIN, /* look again */
	MCP_WAIT_OVER,  /* the deadline had come before; there was no pause */
	/* A pattern that waits returns MCP_INTERRUPTED at once, with nothing held that it did not hold
	 * before. Its caller runs what is to be run, and calls again with what is left of the time. */
	MCP_WAIT_INTERRUPTED,
} mcp_wait;

/* Sleeps for the backoff's next pause, and never past end_ms (of the monotonic clock). What came while a
 * server was asked is not made to wait for the pause to end. */
static inline mcp_wait mcp_waiting_pause(const mcp_environment *environment, mcp_backoff *backoff,
	uint64_t end_ms) {
	uint64_t now_ms = mcp_monotonic_ms(environment);
	if (now_ms >= end_ms) {
		return MCP_WAIT_OVER;
	}
	if (!mcp_is_interrupted(environment)) {
		uint64_t random = mcp_random_u64(environment);
		mcp_sleep_ms(environment, mcp_backoff_next_ms(backoff, random, now_ms, end_ms));
	}
	return mcp_is_interrupted(environment) ? MCP_WAIT_INTERRUPTED : MCP_WAIT_AGAIN;
}

#endif
