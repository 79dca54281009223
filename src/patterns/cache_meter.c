/* Counts for groups and writes the strip. */
/* SPDX-License-Identifier: MIT */
#include "cache_meter.h"

#include "../core/compiler.h"

static mcp_bytes name_of(const mcp_meter *meter, const mcp_key *key) {
	return key != NULL ? mcp_meter_name(meter, key->route) : mcp_bytes_none();
}

static void note_at(const mcp_cache *cache, const mcp_key *key, char letter, uint64_t now_ms) {
	mcp_meter_note(cache->meter, letter, now_ms, name_of(cache->meter, key));
}

void mcp_cache_meter_letter(const mcp_cache *cache, const mcp_key *key, char letter) {
	note_at(cache, key, letter, mcp_wall_ms(cache->environment));
}

static void count_saved(const mcp_meter *meter, const mcp_cache_entry *entry) {
	if (entry->envelope.compute_ms > 0) {
		mcp_meter_add(meter, MCP_COUNT_SAVED_MS, entry->envelope.compute_ms);
	}
}

static MCP_SELDOM void note_served(const mcp_meter *meter, const mcp_key *key,
	const mcp_cache_entry *entry, char letter) {
	mcp_meter_note(meter, letter, entry->judged_ms, mcp_meter_name(meter, key->route));
}

static void count_served(const mcp_meter *meter, const mcp_key *key, const mcp_cache_entry *entry,
	mcp_group_count which, char letter) {
	mcp_meter_add(meter, which, 1);
	count_saved(meter, entry);
	note_served(meter, key, entry, letter);
}

/* In the path of every hit: the strip is written right here. */
void mcp_cache_meter_hit(const mcp_meter *meter, const mcp_key *key, const mcp_cache_entry *entry) {
	mcp_meter_add(meter, MCP_COUNT_HITS, 1);
	count_saved(meter, entry);
	if (meter->tape != NULL) {
		note_served(meter, key, entry, MCP_LETTER_FRESH);
		return;
	}
	mcp_meter_write_strip(meter, MCP_LETTER_FRESH, entry->judged_ms,
		mcp_meter_name(meter, key->route));
}

void mcp_cache_meter_near_hit(const mcp_meter *meter, const mcp_key *key,
	const mcp_cache_entry *entry) {
	count_served(meter, key, entry, MCP_COUNT_NEAR_HITS, MCP_LETTER_FRESH);
}

static void count_election(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry) {
	mcp_meter_add(cache->meter, MCP_COUNT_ELECTIONS, 1);
	if (entry->claim.is_overdue) {
		mcp_cache_meter_letter(cache, key, MCP_LETTER_MISS);
	}
	if (entry->claim.is_overdue || entry->opening == MCP_OPENING_EXPIRED) {
		mcp_meter_add(cache->meter, MCP_COUNT_TAKEOVERS, 1);
	}
}

static char letter_of_miss(const mcp_cache_entry *entry) {
	if (mcp_status_is_failure(entry->trouble)) {
		return MCP_LETTER_FAILED;
	}
	return entry->is_outdated_by_tag ? MCP_LETTER_OUTDATED_BY_TAG : MCP_LETTER_MISS;
}

void mcp_cache_meter_answer(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry) {
	switch (entry->verdict) {
		case MCP_VERDICT_FRESH:
			count_served(cache->meter, key, entry, MCP_COUNT_HITS, MCP_LETTER_FRESH);
			break;
		case MCP_VERDICT_BUSY:
		case MCP_VERDICT_STALE:
			count_served(cache->meter, key, entry, MCP_COUNT_STALE, MCP_LETTER_OLD);
			break;
		case MCP_VERDICT_ELECTED:
			count_election(cache, key, entry);
			break;
		case MCP_VERDICT_MISS:
			mcp_meter_add(cache->meter, MCP_COUNT_MISSES, 1);
			mcp_cache_meter_letter(cache, key, letter_of_miss(entry));
			break;
	}
}

void mcp_cache_meter_claim(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry) {
	bool is_fresh = entry->freshness == MCP_FRESH;
	mcp_cache_meter_letter(cache, key, is_fresh ? MCP_LETTER_EARLY : letter_of_miss(entry));
	mcp_cache_meter_letter(cache, key, MCP_LETTER_CLAIM);
}

void mcp_cache_meter_pause(const mcp_cache *cache, const mcp_key *key, bool is_first,
	uint64_t paused_ms) {
	if (is_first) {
		mcp_meter_add(cache->meter, MCP_COUNT_WAITS, 1);
		mcp_cache_meter_letter(cache, key, MCP_LETTER_BUSY);
	}
	mcp_meter_add(cache->meter, MCP_COUNT_WAIT_MS, paused_ms);
	mcp_cache_meter_letter(cache, key, MCP_LETTER_WAITED);
}

void mcp_cache_tally_stored(const mcp_cache *cache, const mcp_key *key, mcp_status status) {
	if (status == MCP_OK) {
		mcp_meter_tally(cache->meter, &cache->statistics->stored, MCP_COUNT_STORED, 1);
		mcp_cache_note(cache, key, MCP_LETTER_STORED);
	}
}
