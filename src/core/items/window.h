/* A sliding window of time cut into slots that are named by their absolute number, so that no process
 * has to rotate anything and a slot's name is never used twice. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_WINDOW_H
#define MCP_CORE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Made of values that mcp_window_is_valid accepted. The window's number is the sum of the last `slots`
 * slots that have ended; the one that is going on is filled meanwhile. */
typedef struct mcp_window {
	uint32_t length_s; /* a multiple of slots */
	uint32_t slots;    /* >= 1 */
} mcp_window;

bool mcp_window_is_valid(int64_t length_s, int64_t slots);

/* Returns the slot that is going on. */
uint64_t mcp_window_slot(const mcp_window *window, uint64_t wall_ms);
/* Returns Unix time. */
uint64_t mcp_window_slot_start_s(const mcp_window *window, uint64_t slot);

/* Says how long a process can still ask for a slot's number: while it is going on, while it is one of the last
 * `slots` that have ended, and a second for clocks that differ. 0 when that is over. */
uint64_t mcp_window_slot_ttl_ms(const mcp_window *window, uint64_t slot, uint64_t wall_ms);

/* Says whether a visitor counted in `counted` counts again in `slot`: so that every `slots` slots in a row have
 * a visitor who stays exactly once. A slot further ahead than clocks can differ is a leftover of other settings, and counts again
 * too. */
bool mcp_window_counts_again(const mcp_window *window, uint64_t counted, uint64_t slot);

/* The visitors counted in the oldest ended slot, which the true window, ending now, is leaving: as much as is
 * known of them. */
typedef struct mcp_window_oldest {
	uint64_t counted;
	uint64_t stayed;   /* of these, had been counted a window before too: they are expected again */
	uint64_t returned; /* of these, have been counted again in the slot that is going on */
} mcp_window_oldest;

/* Estimates how many of them the true window still has, apart from those that have returned. Visitors who came
 * for the first time are taken to have come evenly spread over the slot, and not to return: they have the share
 * that is left of the slot. Visitors who stayed before are expected back: all of them in the slot's first half,
 * then fewer, so that nothing jumps when the slot ends. Rounded to the nearest whole. */
uint64_t mcp_window_oldest_share(const mcp_window *window, uint64_t wall_ms,
	const mcp_window_oldest *oldest);

#endif
