/* Whether a value that was read holds by the numbers of its tags, is old, or is none (T1, T2, T6). The rules are in
 * docs/spec/tags.md. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_TAGS_JUDGE_H
#define MCP_PATTERNS_CACHE_TAGS_JUDGE_H

#include "../cache.h"

/* A tag's number as it was found. */
typedef struct mcp_cache_tag_found {
	mcp_status status;
	uint64_t number;
	uint64_t changes; /* its change counter of before it was asked for; 0: nothing is near */
} mcp_cache_tag_found;

/* Says whether the entry's value has all tags of the cache under their first names; their numbers are then as the value has them, in the cache's
 * room. */
bool mcp_cache_bears_tags(const mcp_cache *cache, mcp_cache_entry *entry);

/* Looks one up among what was asked for; NULL: it was not. */
typedef const mcp_cache_tag_found *(*mcp_cache_tag_finder)(const void *context,
	uint64_t fingerprint);

/* Judges the entry by what was found. `numbers` is room for those of the cache's tags, if it has any. False if a tag that it
 * has to have, or has, was not asked for. */
bool mcp_cache_judge_tags(const mcp_cache *cache, mcp_cache_entry *entry, uint64_t *numbers,
	mcp_cache_tag_finder find, const void *context);

#endif
