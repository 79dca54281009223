/* Arithmetic of slots: the slot of a time, the lifetime of its number, and the share that a window still
 * covers. */
/* SPDX-License-Identifier: MIT */
#include "window.h"

#define MILLISECONDS 1000
/* Clock skew, and a margin for expiry in whole seconds. */
#define SKEW_MS 1000

static inline uint64_t slot_length_ms(const mcp_window *window) {
	return (uint64_t)(window->length_s / window->slots) * MILLISECONDS;
}

bool mcp_window_is_valid(int64_t length_s, int64_t slots) {
	return slots >= 1 && length_s >= slots && length_s <= UINT32_MAX && length_s % slots == 0;
}

uint64_t mcp_window_slot(const mcp_window *window, uint64_t wall_ms) {
	return wall_ms / slot_length_ms(window);
}

uint64_t mcp_window_slot_start_s(const mcp_window *window, uint64_t slot) {
	return slot * (window->length_s / window->slots);
}

uint64_t mcp_window_slot_ttl_ms(const mcp_window *window, uint64_t slot, uint64_t wall_ms) {
	uint64_t end_ms = (slot + window->slots + 1) * slot_length_ms(window) + SKEW_MS;
	return end_ms > wall_ms ? end_ms - wall_ms : 0;
}

bool mcp_window_has(const mcp_window *window, uint64_t open, uint64_t slot) {
	return slot <= open && open - slot <= window->slots;
}

/* Doubles are exact enough: a share of more than 2^53 visitors is an estimate anyway. */
uint64_t mcp_window_oldest_share(const mcp_window *window, uint64_t wall_ms, uint64_t counted) {
	uint64_t length_ms = slot_length_ms(window);
	double left = (double)(length_ms - wall_ms % length_ms) / (double)length_ms;
	return (uint64_t)((double)counted * left + 0.5);
}
