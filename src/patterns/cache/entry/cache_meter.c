/* Counts for objects and groups, writes the event trace, and pauses before a change that lost a race is tried
 * again. */
/* SPDX-License-Identifier: MIT */
#include "cache_meter.h"

#include "../../../core/compiler.h"

void mcp_cache_meter_letter(const mcp_cache *cache, const mcp_key *key, char letter) {
	const mcp_meter *meter = cache->meter;
	mcp_bytes name = key != NULL ? mcp_meter_name(meter, key->route) : mcp_bytes_none();
	mcp_meter_append_event(meter, letter, mcp_wall_ms(cache->environment), name);
}

static void count_saved(const mcp_meter *meter, uint64_t saved_ms) {
	if (saved_ms > 0) {
		mcp_meter_add(meter, MCP_COUNT_SAVED_MS, saved_ms);
	}
}

static MCP_SELDOM void note_any(const mcp_meter *meter, const mcp_key *key, char letter,
	uint64_t at_ms) {
	mcp_meter_append_event(meter, letter, at_ms, mcp_meter_name(meter, key->route));
}

/* The last `length` bytes of a key's name: the part that the group does not contain. */
static inline mcp_bytes name_of(const mcp_meter *meter, const mcp_key *key, size_t length) {
	return mcp_bytes_of(key->route.data + meter->short_cut, length);
}

/* Trace a key with a long name. Not inlined, so that hits do not save registers for it. Also handles meters that
 * write lines to the trace file, and mapped keys that are shorter than their scope, for which the length
 * underflows. */
static MCP_APART void note_long(const mcp_meter *meter, const mcp_key *key, char letter,
	uint64_t at_ms) {
	size_t length = key->route.length - meter->short_cut;
	if (length - 1 >= MCP_WIRE_KEY_MAX) {
		note_any(meter, key, letter, at_ms);
		return;
	}
	mcp_trace_append_long(mcp_meter_trace(meter), mcp_meter_who(meter, letter), at_ms,
		name_of(meter, key, length));
}

/* Trace a key, in the path of every hit and set. The trace is written inline, unless the name is long. */
MCP_INLINED void note_here(const mcp_meter *meter, const mcp_key *key, char letter,
	uint64_t at_ms) {
	size_t length = key->route.length - meter->short_cut;
	if (length - 1 >= MCP_TRACE_SHORT_KEY_MAX) {
		note_long(meter, key, letter, at_ms);
		return;
	}
	mcp_trace_append_short(mcp_meter_trace(meter), mcp_meter_who(meter, letter), at_ms,
		name_of(meter, key, length));
}

MCP_INLINED void count_value(const mcp_meter *meter, const mcp_key *key, uint32_t compute_ms,
	uint64_t at_ms, mcp_count_of_cache which, char letter) {
	mcp_meter_add(meter, which, 1);
	count_saved(meter, compute_ms);
	note_here(meter, key, letter, at_ms);
}

/* Not inlined, so that hits of a cache without a meter do not save registers for it. */
static MCP_APART void meter_hit(const mcp_meter *meter, const mcp_key *key,
	const mcp_cache_entry *entry) {
	count_value(meter, key, entry->envelope.compute_ms, entry->judged_ms, MCP_COUNT_HITS,
		MCP_TRACE_FRESH);
}

static MCP_APART void meter_old(const mcp_meter *meter, const mcp_key *key,
	const mcp_cache_entry *entry) {
	count_value(meter, key, entry->envelope.compute_ms, entry->judged_ms, MCP_COUNT_STALE,
		MCP_TRACE_OLD);
}

/* Count a served value from memcached in the statistics of its object and, with `meter`, of its group. */
static inline void count_served(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_count_of_cache which,
	void (*meter)(const mcp_meter *meter, const mcp_key *key, const mcp_cache_entry *entry)) {
	cache->statistics->counts[which]++;
	cache->statistics->counts[MCP_COUNT_SAVED_MS] += entry->envelope.compute_ms;
	if (cache->meter != NULL) {
		meter(cache->meter, key, entry);
	}
}

/* Hits are added up, and counted once per batch. */
void mcp_cache_count_many(const mcp_cache *cache, const mcp_cache_batch *batch) {
	const mcp_meter *meter = cache->meter;
	uint64_t hits = 0;
	uint64_t saved_ms = 0;
	for (size_t i = 0; i < batch->count; i++) {
		const mcp_cache_entry *entry = &batch->entries[i];
		if (entry->verdict != MCP_VERDICT_FRESH || entry->trouble != MCP_OK) {
			mcp_cache_count(cache, &batch->keys[i], entry);
			continue;
		}
		hits++;
		saved_ms += entry->envelope.compute_ms;
		if (meter != NULL) {
			note_here(meter, &batch->keys[i], MCP_TRACE_FRESH, entry->judged_ms);
		}
	}
	mcp_cache_tally(cache, MCP_COUNT_HITS, hits);
	mcp_cache_tally(cache, MCP_COUNT_SAVED_MS, saved_ms);
}

void mcp_cache_meter_near(const mcp_meter *meter, const mcp_key *key, uint64_t at_ms) {
	note_here(meter, key, MCP_TRACE_NEAR, at_ms);
}

static void count_election(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry) {
	bool is_overdue = entry->claim.is_overdue;
	mcp_cache_tally(cache, MCP_COUNT_ELECTIONS, 1);
	mcp_cache_tally(cache, MCP_COUNT_TAKEOVERS,
		is_overdue || entry->opening == MCP_OPENING_EXPIRED);
	if (is_overdue) {
		mcp_cache_trace(cache, key, MCP_TRACE_MISS);
	}
}

static char letter_of_miss(const mcp_cache_entry *entry) {
	if (mcp_status_is_failure(entry->trouble)) {
		return MCP_TRACE_FAILED;
	}
	return entry->is_outdated_by_tag ? MCP_TRACE_OUTDATED_BY_TAG : MCP_TRACE_MISS;
}

void mcp_cache_meter_claim(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry) {
	bool is_fresh = entry->freshness == MCP_FRESH;
	mcp_cache_meter_letter(cache, key, is_fresh ? MCP_TRACE_EARLY : letter_of_miss(entry));
	mcp_cache_meter_letter(cache, key, MCP_TRACE_CLAIM);
}

void mcp_cache_meter_pause(const mcp_cache *cache, const mcp_key *key, bool is_first,
	uint64_t paused_ms) {
	if (is_first) {
		mcp_meter_add(cache->meter, MCP_COUNT_WAITS, 1);
		mcp_cache_meter_letter(cache, key, MCP_TRACE_BUSY);
	}
	mcp_meter_add(cache->meter, MCP_COUNT_WAIT_MS, paused_ms);
	mcp_cache_meter_letter(cache, key, MCP_TRACE_WAITED);
}

void mcp_cache_count_unreadable(const mcp_cache *cache, const mcp_cache_entry *entry) {
	if (entry->is_forged) {
		mcp_cache_tally(cache, MCP_COUNT_FORGED, 1);
	} else if (entry->is_unreadable) {
		mcp_cache_tally(cache, MCP_COUNT_UNREADABLE, 1);
	}
}

static void count_answer(const mcp_cache *cache, const mcp_key *key, const mcp_cache_entry *entry) {
	switch (entry->verdict) {
		case MCP_VERDICT_FRESH:
			count_served(cache, key, entry, MCP_COUNT_HITS, meter_hit);
			break;
		case MCP_VERDICT_BUSY:
			cache->statistics->counts[MCP_COUNT_BUSY]++;
			/* fallthrough */
		case MCP_VERDICT_STALE:
			count_served(cache, key, entry, MCP_COUNT_STALE, meter_old);
			break;
		case MCP_VERDICT_ELECTED:
			count_election(cache, key, entry);
			break;
		case MCP_VERDICT_MISS:
			mcp_cache_tally(cache, MCP_COUNT_MISSES, 1);
			mcp_cache_trace(cache, key, letter_of_miss(entry));
			break;
	}
}

void mcp_cache_count(const mcp_cache *cache, const mcp_key *key, const mcp_cache_entry *entry) {
	if (entry->verdict == MCP_VERDICT_FRESH && entry->trouble == MCP_OK) {
		count_served(cache, key, entry, MCP_COUNT_HITS, meter_hit);
		return;
	}
	mcp_cache_count_unreadable(cache, entry);
	if (mcp_status_is_failure(entry->trouble)) {
		mcp_cache_tally(cache, MCP_COUNT_ERRORS, 1);
	}
	count_answer(cache, key, entry);
}

static MCP_SELDOM void add_errors(const mcp_cache *cache, const mcp_key *key, unsigned errors) {
	mcp_cache_tally(cache, MCP_COUNT_ERRORS, errors);
	mcp_cache_trace(cache, key, MCP_TRACE_FAILED);
}

static inline void count_errors(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	unsigned errors = mcp_status_is_failure(status) + mcp_store_end_change(cache->store);
	if (errors > 0) {
		add_errors(cache, key, errors);
	}
}

void mcp_cache_count_errors(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	count_errors(cache, key, status);
}

mcp_status mcp_cache_count_change(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	count_errors(cache, key, status);
	if (status == MCP_EXISTS) {
		mcp_cache_tally(cache, MCP_COUNT_GAVE_UP, 1);
	}
	return status;
}

void mcp_cache_count_refused(const mcp_cache *cache, const mcp_key *key, mcp_count_of_cache which) {
	mcp_cache_tally(cache, which, 1);
	mcp_cache_trace(cache, key, MCP_TRACE_DISCARDED);
}

void mcp_cache_tally_stored(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	if (status == MCP_OK) {
		mcp_cache_tally(cache, MCP_COUNT_STORED, 1);
		mcp_cache_trace(cache, key, MCP_TRACE_STORED);
	}
}

void mcp_cache_tally_stored_at(const mcp_cache *cache, const mcp_key *key, mcp_status status,
	uint64_t at_ms) {
	if (status != MCP_OK) {
		return;
	}
	mcp_cache_tally(cache, MCP_COUNT_STORED, 1);
	if (cache->meter != NULL) {
		note_here(cache->meter, key, MCP_TRACE_STORED, at_ms);
	}
}

/* --- retries of a change that lost a race, up to a limit --- */

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
