/* A sliding time window of slots with absolute numbers: no process must rotate anything, and no slot name is
 * reused. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_WINDOW_H
#define MCP_CORE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* From values that mcp_window_is_valid accepted. The window sums the current slot and the last `slots` ended
 * ones, so that it includes the full length. */
typedef struct mcp_window {
	uint32_t length_s; /* a multiple of slots */
	uint32_t slots;    /* >= 1 */
} mcp_window;

bool mcp_window_is_valid(int64_t length_s, int64_t slots);

/* The current slot. */
uint64_t mcp_window_slot(const mcp_window *window, uint64_t wall_ms);
/* Unix time. */
uint64_t mcp_window_slot_start_s(const mcp_window *window, uint64_t slot);

/* How long a slot's number can be read: while it is current, while it is one of the last `slots`, and 1 s
 * for clock skew. 0: that has passed. */
uint64_t mcp_window_slot_ttl_ms(const mcp_window *window, uint64_t slot, uint64_t wall_ms);

/* Whether `slot` is in the window while `open` is current. */
bool mcp_window_has(const mcp_window *window, uint64_t open, uint64_t slot);

/* Share of the oldest slot's count that is in an exact window ending now, if the count is spread evenly.
 * Rounded to the nearest integer. */
uint64_t mcp_window_oldest_share(const mcp_window *window, uint64_t wall_ms, uint64_t counted);

#endif
