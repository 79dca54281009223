/* The cache pattern's words to its meter: every answer, claim, pause and change, where it is known what they
 * came to. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ENTRY_CACHE_METER_H
#define MCP_PATTERNS_CACHE_ENTRY_CACHE_METER_H

#include "../cache.h"

/* Notes a near hit out of the room, behind a branch of its own: only for a cache that has a meter. */
void mcp_cache_meter_near(const mcp_meter *meter, const mcp_key *key, uint64_t at_ms);
void mcp_cache_meter_letter(const mcp_cache *cache, const mcp_key *key, char letter);

/* Counts for the object and its group. */
static inline void mcp_cache_tally(const mcp_cache *cache, mcp_count_of_cache which, uint64_t by) {
	mcp_meter_tally(cache->meter, cache->statistics, which, by);
}

/* Counts a value of the object's own memory or of the host's, for object and group. */
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

static inline void mcp_cache_note(const mcp_cache *cache, const mcp_key *key, char letter) {
	if (cache->meter != NULL) {
		mcp_cache_meter_letter(cache, key, letter);
	}
}

/* Counts a claim before it is tried for. */
void mcp_cache_meter_claim(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry);
/* Counts a pause of this length, which is over. */
void mcp_cache_meter_pause(const mcp_cache *cache, const mcp_key *key, bool is_first,
	uint64_t paused_ms);

/* Counts what a method came upon that is no value: mcp_cache_count does it for those that read to answer, and this for
 * those that change. */
void mcp_cache_count_unreadable(const mcp_cache *cache, const mcp_cache_entry *entry);

/* Counts what failed of a change: its own call, and keys that had to be dropped for it. */
void mcp_cache_count_errors(const mcp_cache *cache, const mcp_key *key, mcp_status status);
/* Counts a change that failed or was given up, and passes its status on. */
mcp_status mcp_cache_count_change(const mcp_cache *cache, const mcp_key *key, mcp_status status);

/* Counts a value that was refused, as its key has changed since, and notes it: a result as MCP_COUNT_DISCARDED, what was
 * guarded as MCP_COUNT_CHANGED. */
void mcp_cache_count_refused(const mcp_cache *cache, const mcp_key *key, mcp_count_of_cache which);

/* Counts a value that was stored or not, for object and group. */
void mcp_cache_tally_stored(const mcp_cache *cache, const mcp_key *key, mcp_status status);
/* Counts where the call has read the clock already, at `at_ms`. */
void mcp_cache_tally_stored_at(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms);

/* A change that finds its key changed by another caller starts again, a bounded number of times. */

/* How often a protocol starts again when other writers keep coming first, before it gives up. Each
 * round means that another writer made progress. */
#define MCP_CACHE_ROUNDS_MAX 64

/* Other writers of the key, met by one change that starts again when they come first. Zero-initialised:
 * none so far. */
typedef struct mcp_contention {
	int met;
	mcp_backoff backoff;
} mcp_contention;

/* Says whether a change that came to `status` is to be tried once more: MCP_EXISTS is a lost race. Sleeps
 * before it says yes, so that callers who met spread out. */
bool mcp_cache_may_try_again(const mcp_cache *cache, mcp_contention *contention, mcp_status status);

/* Says it without a pause. */
bool mcp_cache_may_try_at_once(mcp_contention *contention, mcp_status status);

#endif
