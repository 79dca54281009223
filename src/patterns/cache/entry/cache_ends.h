/* When a value ends: its soft and its hard end, and whether it fits into an item at all. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ENDS_H
#define MCP_PATTERNS_CACHE_ENDS_H

#include "../cache.h"

/* Makes an envelope of a new epoch for a value that lives this long from now. */
mcp_envelope mcp_cache_new_envelope(const mcp_cache *cache, const mcp_key *key, uint64_t now_ms,
	mcp_lifetime lifetime);

/* Ends it at soft_ms and, for good, a grace later. */
void mcp_cache_set_ends(mcp_envelope *envelope, uint64_t soft_ms, uint64_t grace_ms);

/* Has a value end softly at cap_ms at the latest, with its own grace after that, and says in its envelope that nobody is to
 * put that off: it may be of before a change. */
void mcp_cache_cap(mcp_envelope *envelope, uint64_t cap_ms);
/* Returns when a value must end softly that is made of the entry's; 0: when it wants, also where a strict cache shows its
 * caller none. */
uint64_t mcp_cache_cap_of(const mcp_cache *cache, const mcp_cache_entry *entry);

/* Makes the lifetime by C7: the value that is there keeps its own grace, unless the call gives another. */
mcp_lifetime mcp_cache_lifetime_over(mcp_lifetime lifetime, const mcp_cache_entry *before);

/* Limits the lifetime of a value that keeps the tags of the entry's to the hard end of that, where another signing key than
 * the first names them: when the first is the last one, none of them is left that nobody can name (T9). */
mcp_lifetime mcp_cache_lifetime_within(const mcp_cache *cache, mcp_lifetime lifetime,
	const mcp_cache_entry *entry);

/* Says whether a value leaves room for the largest header: one that only just fitted could never be claimed. */
bool mcp_cache_fits(const mcp_cache *cache, const mcp_key *key, const mcp_cache_value *value);

#endif
