/* Raises before it wakes: whoever is about to sleep then does not. */
/* SPDX-License-Identifier: MIT */
#include "ring.h"

bool mcp_ring_is_awaited_until(const mcp_environment *environment, uint64_t until_ms) {
	uint64_t now_ms = mcp_bell_ms(environment);
	return now_ms != 0 && mcp_bell_is_awaited(until_ms, now_ms);
}

void mcp_ring(const mcp_environment *environment, mcp_wakeup_slot place, bool wakes_one) {
	mcp_bell_raise(place.bell);
	environment->wake(environment, &place.bell->sequence, place.bit, wakes_one);
}
