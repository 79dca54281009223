/* Reading, and the election among those who find a value past its soft end (C1, C2). */
/* SPDX-License-Identifier: MIT */
#include "cache_lookup.h"

#include "../../../core/compiler.h"
#include "../entry/cache_envelope.h"
#include "../look/cache_look.h"
#include "../entry/cache_meter.h"
#include "../look/cache_near.h"
#include "../entry/cache_contention.h"
#include "../entry/cache_tags.h"
#include "../look/cache_tags_many.h"

/* A claim of a known compute time lives this many times as long ... */
#define LEASE_PER_COMPUTE 3
/* ... and at least this. */
#define LEASE_MIN_MS 1000

static uint64_t new_token(const mcp_cache *cache) {
	uint64_t token;
	do {
		token = mcp_random_u64(cache->environment);
	} while (token == 0);
	return token;
}

static uint32_t lease_ms_for(const mcp_cache *cache, const mcp_envelope *envelope,
	mcp_opening opening) {
	uint64_t lease_ms = cache->lease_ms;
	if (cache->lease_is_fitted && envelope->compute_ms > 0) {
		lease_ms = (uint64_t)LEASE_PER_COMPUTE * envelope->compute_ms;
		lease_ms = lease_ms < LEASE_MIN_MS ? LEASE_MIN_MS : lease_ms;
	}
	if (opening == MCP_OPENING_EXPIRED && lease_ms < (uint64_t)envelope->claim_lease_ms * 2) {
		lease_ms = (uint64_t)envelope->claim_lease_ms * 2;
	}
	return lease_ms > cache->lease_ms ? cache->lease_ms : (uint32_t)lease_ms;
}

mcp_claim mcp_cache_claim(const mcp_cache *cache, mcp_envelope *envelope, mcp_opening opening,
	uint64_t now_ms) {
	envelope->claim_lease_ms = lease_ms_for(cache, envelope, opening);
	envelope->has_claim = true;
	envelope->claim_token = new_token(cache);
	envelope->claim_end_ms = now_ms + envelope->claim_lease_ms;
	envelope->newest_election++;
	return (mcp_claim){
		.epoch = envelope->epoch,
		.token = envelope->claim_token,
		.end_ms = envelope->claim_end_ms,
		.election = envelope->newest_election,
	};
}

bool mcp_cache_settle_claim(const mcp_cache *cache, const mcp_key *key, const mcp_claim *claim,
	mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	return entry->trouble == MCP_OK && !entry->is_absent && !entry->is_unreadable &&
		entry->envelope.has_claim && entry->envelope.claim_token == claim->token;
}

/* Says whether the next call goes over another connection, if over any. */
static bool is_cut_off(mcp_status status) {
	return status == MCP_UNKNOWN || status == MCP_UNREACHABLE || status == MCP_TIMEOUT;
}

static uint64_t breaks_of(const mcp_cache *cache, const mcp_key *key) {
	return mcp_store_breaks(mcp_store_owner(cache->store, key));
}

/* Says whether the claim was kept back: before it was sent its server was asked something that ended the connection, as
 * proxies do on what they do not know, and with that the cas id of what was read. Nobody else was faster. */
static bool was_kept_back(const mcp_cache *cache, const mcp_key *key, const mcp_candidacy *standing,
	mcp_status status) {
	return status == MCP_EXISTS && breaks_of(cache, key) != standing->breaks;
}

void mcp_cache_enter_election(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_candidacy *standing) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	standing->breaks = breaks_of(cache, key);
	standing->envelope = entry->envelope;
	standing->claim = mcp_cache_claim(cache, &standing->envelope, entry->opening, now_ms);
	if (cache->meter != NULL) {
		mcp_cache_meter_claim(cache, key, entry);
	}
}

bool mcp_cache_end_election(const mcp_cache *cache, const mcp_key *key, mcp_candidacy *standing,
	mcp_status status, bool settle, mcp_cache_entry *entry) {
	bool is_elected = status == MCP_OK;
	if (status == MCP_UNKNOWN && settle) {
		is_elected = mcp_cache_settle_claim(cache, key, &standing->claim, entry);
		standing->envelope = entry->envelope;
	} else if (is_cut_off(status)) {
		entry->cas = 0;
	} else if (status == MCP_NO_CAS) {
		entry->trouble = status;
	}
	if (is_elected) {
		entry->verdict = MCP_VERDICT_ELECTED;
		entry->claim = standing->claim;
		entry->envelope = standing->envelope;
	} else {
		mcp_cache_note(cache, key,
			mcp_status_is_failure(status) ? MCP_TRACE_FAILED : MCP_TRACE_BUSY);
	}
	if (!is_elected && entry->verdict == MCP_VERDICT_STALE) {
		/* Somebody was faster: the old value read before that is still an answer. */
		entry->verdict = MCP_VERDICT_BUSY;
	}
	return status != MCP_NOT_STORED && !was_kept_back(cache, key, standing, status);
}

bool mcp_cache_elect(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	bool settle) {
	mcp_candidacy standing;
	mcp_cache_enter_election(cache, key, entry, &standing);
	mcp_status status =
		mcp_cache_swap_proven(cache, key, &standing.envelope, entry, &standing.claim.proof);
	return mcp_cache_end_election(cache, key, &standing, status, settle, entry);
}

/* Forgets cas ids that a broken connection has made worthless. A connection breaks when its server is
 * restarted, and then they begin again: one that was read over the connection of before could be another
 * item's, and a newer value would be written over. */
void mcp_cache_forget_ids(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index) {
	const mcp_cache_entry *entry = &batch->entries[index];
	bool has_failed = is_cut_off(entry->trouble) ||
		(entry->trouble == MCP_OK && !entry->is_absent && entry->cas == 0);
	if (!has_failed) {
		return;
	}
	const mcp_store *broken = mcp_store_owner(cache->store, &batch->keys[index]);
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *other = &batch->entries[i];
		if (other->cas != 0 && mcp_store_owner(cache->store, &batch->keys[i]) == broken) {
			other->cas = 0;
		}
	}
}

void mcp_cache_elect_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index) {
	mcp_cache_entry *entry = &batch->entries[index];
	bool has_made = !mcp_cache_knows_tags(cache, entry);
	if (mcp_cache_make_tags(cache, &batch->keys[index], entry) == MCP_OK) {
		mcp_cache_elect(cache, &batch->keys[index], entry, false);
	} else {
		entry->verdict = MCP_VERDICT_BUSY;
	}
	if (has_made && entry->trouble == MCP_OK) {
		mcp_cache_share_tags(cache, batch, index);
	}
	mcp_cache_forget_ids(cache, batch, index);
}

/* Stands for election whenever the value that is found is old and nobody's. */
static MCP_SELDOM void stand_for_election(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry) {
	mcp_contention contention = {0};
	while (entry->verdict == MCP_VERDICT_STALE && mcp_opening_is_open(entry->opening)) {
		mcp_status ready = mcp_cache_make_tags(cache, key, entry);
		if (ready == MCP_OK && !mcp_cache_elect(cache, key, entry, true)) {
			ready = MCP_EXISTS;
		}
		if (!mcp_cache_may_try_at_once(&contention, ready)) {
			return;
		}
		mcp_cache_observe(cache, key, entry);
	}
}

void mcp_cache_lookup(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	if (entry->verdict == MCP_VERDICT_STALE) {
		stand_for_election(cache, key, entry);
	}
	mcp_cache_count(cache, key, entry);
}

void mcp_cache_get(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	if (cache->is_strict) {
		mcp_cache_peek(cache, key, entry);
	} else if (cache->near != NULL) {
		mcp_cache_near_read(cache, key, mcp_cache_lookup, entry);
	} else {
		mcp_cache_lookup(cache, key, entry);
	}
}
