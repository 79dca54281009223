/* Rings a bell of the host: wakes those who wait for a key that was changed. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_RING_H
#define MCP_CORE_RING_H

#include "../environment.h"
#include "wakeups.h"

/* Returns the time by which bells are stamped; 0: there are none for this caller now. */
static inline uint64_t mcp_bell_ms(const mcp_environment *environment) {
	return environment->bell_ms != NULL ? environment->bell_ms(environment) : 0;
}

/* Does the next one's work where somebody has. */
bool mcp_ring_is_awaited_until(const mcp_environment *environment, uint64_t until_ms);
/* Says whether anybody of this host may sleep on the bell. Called after the key's change. Asks the system for nothing
 * where nobody ever has. */
static inline bool mcp_ring_is_awaited(const mcp_environment *environment, const mcp_wakeup *bell) {
	uint64_t until_ms = mcp_bell_stamped_until(bell);
	return until_ms != 0 && mcp_ring_is_awaited_until(environment, until_ms);
}

/* Wakes all who listen at the place, or one of them. Called where it is awaited, after the key's change. */
void mcp_ring(const mcp_environment *environment, mcp_wakeup_slot place, bool wakes_one);

#endif
