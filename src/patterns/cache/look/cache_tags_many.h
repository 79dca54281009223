/* A look at many values with tags, and what one of them has made for the others. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_TAGS_MANY_H
#define MCP_PATTERNS_CACHE_TAGS_MANY_H

#include "../cache.h"

/* Reads many, where the cache has tags, or some of the values have. `is_again`: the entries have been read. */
void mcp_cache_read_many_closely(const mcp_cache *cache, const mcp_cache_batch *batch,
	bool is_again);

/* Shares the tags that one of many has made: those behind it on the same server need not make them. */
void mcp_cache_share_tags(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

#endif
