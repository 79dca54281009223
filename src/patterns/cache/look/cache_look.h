/* Reading a key: the value, its running number and its tags are one look. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_LOOK_H
#define MCP_PATTERNS_CACHE_LOOK_H

#include "../cache.h"

/* Reads and judges the value with its tags and those of the cache: whether it is fresh, and whether there is one, is as
 * they say. A second round trip where the value has tags that the cache has not. */
void mcp_cache_examine(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Looks with the running number, too: both together are one second round trip where there are any. */
void mcp_cache_observe(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Hides an old value by C16: leaves nothing of it in the entry that a strict cache would serve. The envelope
 * and its cas id stay: what is stored next goes in its place. */
void mcp_cache_hide_old(const mcp_cache *cache, mcp_cache_entry *entry);

#endif
