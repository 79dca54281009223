/* An envelope with a claim and no value (C4). */
/* SPDX-License-Identifier: MIT */
#include "cache_placeholder.h"

#include "../entry/cache_ends.h"

void mcp_cache_compose_placeholder(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, const mcp_envelope *envelope, mcp_proof *proof) {
	mcp_cache_compose(cache, key, record, envelope, mcp_bytes_none(), 0);
	record->record.proof = mcp_cache_wants(cache, proof);
	record->record.is_claim = true;
}

mcp_envelope mcp_cache_placeholder(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_lifetime lifetime, uint64_t now_ms) {
	/* A tombstone goes on telling of older copies until there is a result. */
	if (entry->envelope.is_tombstone) {
		return entry->envelope;
	}
	mcp_envelope envelope = mcp_cache_new_envelope(cache, key, now_ms, lifetime);
	bool is_without_past = entry->is_absent || entry->is_unreadable ||
		(entry->is_suspect && entry->freshness == MCP_COLD);
	if (is_without_past) {
		return envelope;
	}
	const mcp_envelope *before = &entry->envelope;
	envelope.epoch = before->epoch;
	envelope.newest_election = before->newest_election;
	envelope.value_election = before->value_election;
	envelope.compute_ms = before->compute_ms;
	envelope.claim_lease_ms = before->has_claim ? before->claim_lease_ms : 0;
	envelope.has_failure = before->has_failure;
	envelope.failures = before->failures;
	envelope.pause_end_ms = before->pause_end_ms;
	envelope.is_contested = before->is_contested;
	return envelope;
}
