/* An item's identity, as a note has it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_GUARDED_NOTE_H
#define MCP_PATTERNS_CACHE_GUARDED_NOTE_H

#include "../entry/cache_envelope.h"
#include "cache_guarded.h"

/* Notes what the entry says stands there. Torn where it says nothing. */
void mcp_cache_guarded_hold(mcp_guarded_note *note, const mcp_cache_entry *entry);

/* Says whether it stands there still: an item of the same epoch, with a value of the same election. */
bool mcp_cache_guarded_is_noted(const mcp_guarded_note *note, const mcp_cache_entry *entry);

/* Fills *record with a mark of this epoch. `record` must stay where it is until it is sent. */
void mcp_cache_guarded_compose_mark(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_record *record, uint64_t epoch, bool is_contested);

#endif
