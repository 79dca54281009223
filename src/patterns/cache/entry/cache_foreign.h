/* Takes what another client stored without an envelope for an old value. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_FOREIGN_H
#define MCP_PATTERNS_CACHE_FOREIGN_H

#include "../cache.h"

/* Fills the entry with another client's value as an old one, where the cache reads such (C19); its freshness is
 * still to be weighed. False, and nothing filled, if it is none. */
bool mcp_cache_take_foreign(const mcp_cache *cache, const mcp_key *key, const mcp_item *item,
	mcp_cache_entry *entry);

#endif
