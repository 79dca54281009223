/* The words of the tests of values with tags, over a cache world. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_TAGS_WORLD_H
#define MCP_TESTS_PATTERNS_TAGS_WORLD_H

#include "../../src/patterns/cache/entry/cache_tags.h"
#include "cache_world.h"

/* Makes tags of one or two names; NULL: no second. */
mcp_cache_tags tags_of(const char *first, const char *second);
/* Makes so many tags, of no name; one at a time. */
mcp_cache_tags tags_many(unsigned count);
/* Makes a view of the same host's cache. */
mcp_cache tags_view(const cache_world *w, const mcp_cache_tags *tags);
/* Sets the key through it. */
void tags_put(const cache_world *w, const mcp_cache *cache, const char *text);
/* Invalidates by the rival, which is undisturbed. */
void tags_invalidate(cache_world *w, const char *name, bool is_strict);
/* Reads the key through it, with the calls counted anew. */
mcp_verdict tags_look(cache_world *w, const mcp_cache *cache);
/* Returns the tag's key on the wire, which stands in the buffer. */
const char *tags_key(const char *name, mcp_key_buffer *buffer);

#endif
