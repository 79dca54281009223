/* An item's identity, as a note has it, and the records that go in its place: marks, and values that may have to end soon. */
/* SPDX-License-Identifier: MIT */
#include "cache_guarded_note.h"

#include "../../../core/envelope/foreign.h"
#include "../entry/cache_ends.h"

/* Touches, claims and running numbers do not count: whoever sets a value gives it another epoch or election. */
static mcp_read_stamp note_of(const mcp_cache *cache, const mcp_cache_entry *entry) {
	mcp_read_stamp note = {.state = MCP_READ_STAMP_HELD};
	if (entry->is_unreadable) {
		note.epoch = mcp_foreign_epoch(entry->stored, entry->flags, entry->cas);
	} else {
		note.epoch = entry->envelope.epoch;
		note.election = entry->envelope.value_election;
		note.is_of_value = entry->envelope.has_value;
		note.cap_ms = mcp_cache_cap_of(cache, entry);
	}
	return note;
}

static bool stands(const mcp_cache_entry *entry) {
	return !mcp_status_is_failure(entry->trouble) && !entry->is_absent;
}

void mcp_cache_guarded_hold(const mcp_cache *cache, mcp_read_stamp *note,
	const mcp_cache_entry *entry) {
	uint64_t made_ms = note->made_ms;
	*note = stands(entry) ? note_of(cache, entry) : (mcp_read_stamp){.state = MCP_READ_STAMP_TORN};
	note->made_ms = made_ms;
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		note->proof = entry->claim.proof;
		note->cap_ms = 0;
	}
}

bool mcp_cache_guarded_is_noted(const mcp_cache *cache, const mcp_read_stamp *note,
	const mcp_cache_entry *entry) {
	if (note->state != MCP_READ_STAMP_HELD || !stands(entry)) {
		return false;
	}
	mcp_read_stamp found = note_of(cache, entry);
	return found.epoch == note->epoch && found.election == note->election &&
		found.is_of_value == note->is_of_value;
}

void mcp_cache_guarded_compose_mark(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, uint64_t epoch, bool is_contested) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	mcp_envelope envelope = {
		.created_ms = now_ms,
		.soft_ms = now_ms + MCP_GUARDED_MARK_MS,
		.hard_ms = now_ms + MCP_GUARDED_MARK_MS,
		.key_fingerprint = key->fingerprint,
		.epoch = epoch,
		.is_contested = is_contested,
	};
	mcp_cache_compose_new(cache, key, record, &envelope, mcp_bytes_none(), 0);
	record->record.ttl_ms = MCP_GUARDED_MARK_MS;
}

/* Gives it a new epoch: under a mark's own, a remember that was elected over that before would still store what it computed
 * then. */
void mcp_cache_guarded_compose(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint64_t cap_ms, mcp_guarded_parcel *to) {
	mcp_cache_value capped = *value;
	capped.cap_ms = cap_ms;
	mcp_envelope envelope = mcp_cache_envelope_of(cache, key, &capped);
	to->epoch = envelope.epoch;
	to->cap_ms = cap_ms;
	mcp_cache_compose_new(cache, key, &to->record, &envelope, value->payload, value->flags);
	to->record.record.proof = mcp_cache_wants(cache, &to->proof);
}

void mcp_cache_guarded_note_stored(const mcp_cache *cache, const mcp_guarded_parcel *stored,
	mcp_read_stamp *note) {
	*note = (mcp_read_stamp){
		.state = MCP_READ_STAMP_HELD,
		.is_of_value = true,
		.epoch = stored->epoch,
		.made_ms = mcp_monotonic_ms(cache->environment),
		.cap_ms = stored->cap_ms,
		.proof = stored->proof,
	};
}

uint64_t mcp_cache_guarded_cap(const mcp_cache *cache, const mcp_read_stamp *note,
	const mcp_cache_entry *entry, uint32_t holdoff_ms) {
	uint64_t now_ms = mcp_wall_ms(cache->environment);
	if (note->cap_ms != 0) {
		return note->cap_ms > now_ms ? note->cap_ms : now_ms + 1;
	}
	bool is_contested = entry != NULL && !entry->envelope.has_value && entry->envelope.is_contested;
	return is_contested ? now_ms + holdoff_ms : 0;
}

void mcp_cache_guarded_note_published(const mcp_cache *cache, mcp_read_stamp *note,
	const mcp_claim *claim) {
	*note = (mcp_read_stamp){
		.state = MCP_READ_STAMP_HELD,
		.made_ms = mcp_monotonic_ms(cache->environment),
		.is_of_value = true,
		.election = claim->election,
		.epoch = claim->epoch,
	};
}
