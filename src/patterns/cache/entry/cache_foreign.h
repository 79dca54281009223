/* What another client stored without an envelope, taken for an old value. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_FOREIGN_H
#define MCP_PATTERNS_CACHE_FOREIGN_H

#include "../cache.h"

/* C19: where the cache reads such, fills the entry with another client's value as an old one; its freshness is still
 * to be weighed. False, and nothing filled, for what is none. */
bool mcp_cache_take_foreign(const mcp_cache *cache, const mcp_key *key, const mcp_item *item,
	mcp_cache_entry *entry);

#endif
