/* Notes what looks have found, and leaves marks where they found nothing. A mark is believed only when it is known to
 * have come before the look was over: one that comes late, after a delete, would let in what was read before that. */
/* SPDX-License-Identifier: MIT */
#include "cache_guarded_note.h"

#include <stdlib.h>

/* Notes what stands there by now, before the caller asks its database. */
static void look_again(const mcp_cache *cache, const mcp_key *key, mcp_guarded_note *note) {
	mcp_cache_entry entry;
	mcp_cache_fetch(cache, key, &entry);
	mcp_cache_guarded_hold(note, &entry);
}

/* Notes a mark that was sent, by what became of it. */
static void note_mark(const mcp_cache *cache, const mcp_key *key, uint64_t epoch, mcp_status status,
	mcp_guarded_note *note) {
	if (status == MCP_OK) {
		note->state = MCP_NOTE_HELD;
		note->epoch = epoch;
	} else if (status == MCP_NOT_STORED) {
		look_again(cache, key, note);
	} else if (status == MCP_UNKNOWN) {
		mcp_store_insist(cache->store, key, MCP_INSIST_TO_SETTLE);
		look_again(cache, key, note);
	} else {
		note->state = MCP_NOTE_TORN;
	}
}

static void leave_mark(const mcp_cache *cache, const mcp_key *key, mcp_guarded_note *note) {
	uint64_t epoch = mcp_epoch_u64(cache->environment);
	mcp_cache_record record;
	mcp_cache_guarded_compose_mark(cache, key, &record, epoch, false);
	record.record.proof = mcp_cache_wants(cache, &note->proof);
	note_mark(cache, key, epoch, mcp_store_add(cache->store, key, &record.record), note);
}

static bool finds_nothing(const mcp_cache_entry *entry) {
	return entry->is_absent && entry->trouble == MCP_OK;
}

void mcp_cache_guarded_note(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_guarded_note *note) {
	if (note->state != MCP_NOTE_NONE) {
		return;
	}
	if (finds_nothing(entry)) {
		leave_mark(cache, key, note);
	} else {
		mcp_cache_guarded_hold(note, entry);
	}
}

void mcp_cache_guarded_note_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_guarded_note *const *notes) {
	for (size_t i = 0; i < batch->count; i++) {
		if (notes[i] != NULL) {
			mcp_cache_guarded_note(cache, &batch->keys[i], &batch->entries[i], notes[i]);
		}
	}
}

void mcp_cache_guarded_note_delete(mcp_guarded_note *note, mcp_status status) {
	if (!mcp_status_is_failure(status)) {
		*note = (mcp_guarded_note){.state = MCP_NOTE_NONE};
	} else if (note->state != MCP_NOTE_NONE) {
		note->state = MCP_NOTE_TORN;
	}
}
