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
	 * before. Its caller runs what is to be run, and calls again with the same pauses. */
	MCP_WAIT_INTERRUPTED,
} mcp_wait;

/* The pauses of one wait, from its first to its last, however often it is interrupted: the deadline counts
 * from where it began, and a pause that was cut is slept to its end before anything is looked at again, so
 * that no flood of signals makes a waiter look more often. Zero-initialised: not begun. Times are of the
 * monotonic clock. */
typedef struct mcp_pauses {
	bool has_begun;
	bool was_cut; /* the last one */
	uint64_t begun_ms;
	uint64_t pause_end_ms;
} mcp_pauses;

static inline mcp_wait mcp_waiting_sleep_out(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t now_ms) {
	if (now_ms < pauses->pause_end_ms && !mcp_is_interrupted(environment)) {
		mcp_sleep_ms(environment, (uint32_t)(pauses->pause_end_ms - now_ms));
	}
	pauses->was_cut = mcp_is_interrupted(environment);
	return pauses->was_cut ? MCP_WAIT_INTERRUPTED : MCP_WAIT_AGAIN;
}

/* Begins, before the first look of a pattern's call, the wait, or goes on with the pause that was cut. */
static inline mcp_wait mcp_waiting_begin(const mcp_environment *environment, mcp_pauses *pauses) {
	uint64_t now_ms = mcp_monotonic_ms(environment);
	if (!pauses->has_begun) {
		*pauses = (mcp_pauses){.has_begun = true, .begun_ms = now_ms};
	}
	return pauses->was_cut ? mcp_waiting_sleep_out(environment, pauses, now_ms) : MCP_WAIT_AGAIN;
}

/* Sleeps for the next pause, or for what is left of the last one, and never past end_ms. Signals that came
 * while a server was asked do not wait for the pause to end. */
static inline mcp_wait mcp_waiting_pause(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t end_ms) {
	uint64_t now_ms = mcp_monotonic_ms(environment);
	if (now_ms >= end_ms) {
		return MCP_WAIT_OVER;
	}
	if (!pauses->was_cut) {
		uint64_t waited_ms = now_ms - pauses->begun_ms;
		uint64_t pause_ms = mcp_backoff_waiting_ms(waited_ms, mcp_random_u64(environment));
		pauses->pause_end_ms = end_ms - now_ms > pause_ms ? now_ms + pause_ms : end_ms;
	}
	return mcp_waiting_sleep_out(environment, pauses, now_ms);
}

/* Pauses, but no longer than until `free_ms`, when what is waited for is free at the latest. */
static inline mcp_wait mcp_waiting_pause_for(const mcp_environment *environment, mcp_pauses *pauses,
	uint64_t end_ms, uint64_t free_ms) {
	if (free_ms >= end_ms) {
		return mcp_waiting_pause(environment, pauses, end_ms);
	}
	mcp_wait next = mcp_waiting_pause(environment, pauses, free_ms);
	return next == MCP_WAIT_OVER ? MCP_WAIT_AGAIN : next;
}

#endif
