/* Reading a key: the value, its running number and its tags are one look. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_LOOK_CACHE_LOOK_H
#define MCP_PATTERNS_CACHE_LOOK_CACHE_LOOK_H

#include "../../../core/near/shm_cache.h"
#include "../cache.h"
#include "../entry/cache_side_number.h"

/* Reads and judges the value with its tags and those of the cache: whether it is fresh, and whether there is one, is as
 * they say. A second round trip where the value has tags that the cache has not. */
void mcp_cache_examine(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Looks with the running number, too: both together are one second round trip where there are any. */
void mcp_cache_observe(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Hides an old value by C16: leaves nothing of it in the entry that a strict cache would serve. The envelope
 * and its cas id stay: what is stored next goes in its place. */
void mcp_cache_hide_old(const mcp_cache *cache, mcp_cache_entry *entry);

/* Whether a value that was served stands there still, for an audit: what is different from it may have changed since. */

/* A value that was served fresh. Plain data; outlives calls. */
typedef struct mcp_served {
	mcp_near_facts facts;
	bool is_tagged; /* set by a look: it has tags, whose invalidations leave its epoch as it is */
} mcp_served;

/* The outcome of a look. */
typedef enum mcp_presence {
	MCP_STANDING_YES,  /* it would be served now, and nobody is computing it */
	MCP_STANDING_BUSY, /* it would be served, and another caller is computing the next one */
	MCP_STANDING_ENDED, /* its time is over, or it was rebuilt: nobody has changed or invalidated it */
	MCP_STANDING_NO,    /* it was changed or invalidated, or nothing can be said: no answer, gone */
} mcp_presence;

/* Looks by the cache's store: one round trip, and one for tags that the cache has not. Counts nothing, and elects nobody. */
mcp_presence mcp_cache_standing(const mcp_cache *cache, const mcp_key *key, mcp_served *served);

/* Returns for how long the value can have been wrong at most when it was served: the time since its computation began. */
uint64_t mcp_served_age_ms(const mcp_served *served, uint64_t served_ms);

/* One look at a value with tags: the value, its running number and its tags in one multi-get. */

/* Asks for the value and, behind it, for the tags; before it for the running number where `side` is given, with its
 * key, or `shows_number` and the value counts. Asks again when the value turns out to have other tags, or a number to
 * show: both at once. `*entry` is judged, and the side's reply is its number's answer. */
void mcp_cache_look_closely(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_side *side, mcp_cache_entry *entry);

/* A look at many values with tags, and what one of them has made for the others. */

/* Shares the tags that one of many has made: those behind it on the same server need not make them. */
void mcp_cache_share_tags(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

#endif
