/* One look at a value with tags: the value, its running number and its tags in one multi-get. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_TAGS_LOOK_H
#define MCP_PATTERNS_CACHE_TAGS_LOOK_H

#include "../cache.h"
#include "../entry/cache_side_number.h"

/* Asks for the value and, behind it, for the tags; before it for the running number where `side` is given, with its
 * key, or `shows_number` and the value counts. Asks again when the value turns out to have other tags, or a number to
 * show: both at once. `*entry` is judged, and the side's reply is its number's answer. */
void mcp_cache_look_closely(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_side *side, mcp_cache_entry *entry);

/* Looks for an entry that has been fetched, without the cache's tags, and lacks something. */
void mcp_cache_look_again(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_entry *entry);

#endif
