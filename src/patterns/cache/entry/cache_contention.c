/* A change that finds its key changed by another caller starts again, a bounded number of times. */
/* SPDX-License-Identifier: MIT */
#include "cache_contention.h"

static void spread_out(const mcp_cache *cache, mcp_backoff *backoff) {
	const mcp_environment *environment = cache->environment;
	uint64_t now_ms = mcp_monotonic_ms(environment);
	uint32_t pause_ms =
		mcp_backoff_next_ms(backoff, mcp_random_u64(environment), now_ms, UINT64_MAX);
	mcp_sleep_ms(environment, pause_ms);
}

bool mcp_cache_may_try_at_once(mcp_contention *contention, mcp_status status) {
	return status == MCP_EXISTS && ++contention->met < MCP_CACHE_ROUNDS_MAX;
}

bool mcp_cache_may_try_again(const mcp_cache *cache, mcp_contention *contention,
	mcp_status status) {
	if (!mcp_cache_may_try_at_once(contention, status)) {
		return false;
	}
	if (contention->met == 1) {
		contention->backoff = mcp_backoff_for_contention();
	}
	spread_out(cache, &contention->backoff);
	return true;
}
