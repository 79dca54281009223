/* Counts and traces what the cache does: every result, claim, pause and change. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ENTRY_CACHE_METER_H
#define MCP_PATTERNS_CACHE_ENTRY_CACHE_METER_H

#include "../cache.h"

/* Trace a hit of the near cache. The caller has checked that the cache has a meter. */
void mcp_cache_meter_near(const mcp_meter *meter, const mcp_key *key, uint64_t at_ms);
void mcp_cache_meter_letter(const mcp_cache *cache, const mcp_key *key, char letter);

/* Add `by` to a count of the object and its group. */
static inline void mcp_cache_tally(const mcp_cache *cache, mcp_count_of_cache which, uint64_t by) {
	mcp_meter_tally(cache->meter, cache->statistics, which, by);
}

/* Count a value from the object cache or the near cache. */
static inline void mcp_cache_count_near(const mcp_cache *cache, uint32_t compute_ms) {
	mcp_cache_statistics *statistics = cache->statistics;
	const mcp_meter *meter = cache->meter;
	statistics->counts[MCP_COUNT_NEAR_HITS]++;
	statistics->counts[MCP_COUNT_SAVED_MS] += compute_ms;
	if (meter != NULL) {
		mcp_meter_add(meter, MCP_COUNT_NEAR_HITS, 1);
		if (compute_ms > 0) {
			mcp_meter_add(meter, MCP_COUNT_SAVED_MS, compute_ms);
		}
	}
}

static inline void mcp_cache_trace(const mcp_cache *cache, const mcp_key *key, char letter) {
	if (cache->meter != NULL) {
		mcp_cache_meter_letter(cache, key, letter);
	}
}

/* Count a claim before it is sent. */
void mcp_cache_meter_claim(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry);
/* Count a completed pause of this length. */
void mcp_cache_meter_pause(const mcp_cache *cache, const mcp_key *key, bool is_first,
	uint64_t paused_ms);

/* Count the unreadable item that a change has found. For a read, mcp_cache_count does this. */
void mcp_cache_count_unreadable(const mcp_cache *cache, const mcp_cache_entry *entry);

/* Count the failure of a change. This includes a value that did not fit, whose key was deleted. */
void mcp_cache_count_errors(const mcp_cache *cache, const mcp_key *key, mcp_status status);
/* Count the failure of a change, or that it exhausted its retries, and return its status. */
mcp_status mcp_cache_count_change(const mcp_cache *cache, const mcp_key *key, mcp_status status);

/* Count and trace a value that was refused because its key has changed. `which`: MCP_COUNT_DISCARDED for a result,
 * MCP_COUNT_CHANGED for a guarded value. */
void mcp_cache_count_refused(const mcp_cache *cache, const mcp_key *key, mcp_count_of_cache which);

/* If the status is MCP_OK, count and trace the stored value. */
void mcp_cache_tally_stored(const mcp_cache *cache, const mcp_key *key, mcp_status status);
/* Like mcp_cache_tally_stored, at a time that was already read. */
void mcp_cache_tally_stored_at(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms);

/* Retries of a change that lost a race, up to a limit. */

/* Maximum number of retries of a change. Each retry means that another writer has made progress. */
#define MCP_CACHE_ROUNDS_MAX 64

/* Retry state of one change. Zero-initialized: no race was lost yet. */
typedef struct mcp_contention {
	int met;
	mcp_backoff backoff;
} mcp_contention;

/* Whether a change with this status must be retried. MCP_EXISTS means that a race was lost. Sleeps before it returns
 * true, so that competing callers spread out. */
bool mcp_cache_may_try_again(const mcp_cache *cache, mcp_contention *contention, mcp_status status);

/* Like mcp_cache_may_try_again, without a pause. */
bool mcp_cache_may_try_at_once(mcp_contention *contention, mcp_status status);

#endif
