/* An item's identity, as a note has it, and the marks that looks leave where there is none. */
/* SPDX-License-Identifier: MIT */
#include "cache_guarded_note.h"

#include "../../../core/envelope/foreign.h"

/* Touches, claims and running numbers do not count: whoever sets a value gives it another epoch or election. */
static mcp_guarded_note note_of(const mcp_cache_entry *entry) {
	mcp_guarded_note note = {.state = MCP_NOTE_HELD};
	if (entry->is_unreadable) {
		note.epoch = mcp_foreign_epoch(entry->stored, entry->flags, entry->cas);
	} else {
		note.epoch = entry->envelope.epoch;
		note.election = entry->envelope.value_election;
		note.is_of_value = entry->envelope.has_value;
	}
	return note;
}

static bool stands(const mcp_cache_entry *entry) {
	return !mcp_status_is_failure(entry->trouble) && !entry->is_absent;
}

void mcp_cache_guarded_hold(mcp_guarded_note *note, const mcp_cache_entry *entry) {
	*note = stands(entry) ? note_of(entry) : (mcp_guarded_note){.state = MCP_NOTE_TORN};
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		note->proof = entry->claim.proof;
	}
}

bool mcp_cache_guarded_is_noted(const mcp_guarded_note *note, const mcp_cache_entry *entry) {
	if (note->state != MCP_NOTE_HELD || !stands(entry)) {
		return false;
	}
	mcp_guarded_note found = note_of(entry);
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

void mcp_cache_guarded_note_published(mcp_guarded_note *note, const mcp_claim *claim) {
	*note = (mcp_guarded_note){
		.state = MCP_NOTE_HELD,
		.is_of_value = true,
		.election = claim->election,
		.epoch = claim->epoch,
	};
}
