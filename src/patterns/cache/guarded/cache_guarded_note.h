/* An item's identity, as a note has it, and the records that go in its place. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_GUARDED_NOTE_H
#define MCP_PATTERNS_CACHE_GUARDED_NOTE_H

#include "../entry/cache_envelope.h"
#include "../write/cache_store_over.h"
#include "cache_guarded.h"

/* Notes what the entry says stands there. Torn where it says nothing. */
void mcp_cache_guarded_hold(const mcp_cache *cache, mcp_read_stamp *note,
	const mcp_cache_entry *entry);

/* Says whether it stands there still: an item of the same epoch, with a value of the same election. */
bool mcp_cache_guarded_is_noted(const mcp_cache *cache, const mcp_read_stamp *note,
	const mcp_cache_entry *entry);

/* Fills *record with a mark of this epoch. */
void mcp_cache_guarded_compose_mark(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, uint64_t epoch, bool is_contested);

/* A value on its way, and what its write proves. */
typedef struct mcp_guarded_parcel {
	uint64_t epoch;
	uint64_t cap_ms;         /* 0: none */
	mcp_cache_record record; /* whose header is set before it is composed */
	mcp_proof proof;
} mcp_guarded_parcel;

/* Composes the value, to end softly at `cap_ms` at the latest; 0: when it wants. `to` must stay where it is until it is
 * sent. */
void mcp_cache_guarded_compose(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint64_t cap_ms, mcp_guarded_parcel *to);

/* Notes what was stored, as an own value. */
void mcp_cache_guarded_note_stored(const mcp_cache *cache, const mcp_guarded_parcel *stored,
	mcp_read_stamp *note);

/* Returns when a value must end softly that is stored over the entry; 0: when it wants. `entry` NULL: over what the note's
 * proof is of. One that follows a capped value may be made of that. */
uint64_t mcp_cache_guarded_cap(const mcp_cache *cache, const mcp_read_stamp *note,
	const mcp_cache_entry *entry, uint32_t holdoff_ms);

#endif
