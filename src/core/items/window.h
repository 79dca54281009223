/* A sliding window of time cut into slots that are named by their absolute number, so that no process
 * has to rotate anything and a slot's name is never used twice. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_WINDOW_H
#define MCP_CORE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Made of values that mcp_window_is_valid accepted. The window's number is the sum of the slot that is going on and the last
 * `slots` that have ended: what came a window's length ago is in one of them. */
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

/* Says whether the window has `slot` while `open` is going on. */
bool mcp_window_has(const mcp_window *window, uint64_t open, uint64_t slot);

/* Returns the share that the true window, ending now, still has of what its oldest slot counted, as if that had come
 * evenly spread over the slot. Rounded to the nearest whole. */
uint64_t mcp_window_oldest_share(const mcp_window *window, uint64_t wall_ms, uint64_t counted);

#endif
