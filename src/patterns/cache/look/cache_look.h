/* Reads a key: gets the value, its running number and its tags in one lookup. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_LOOK_CACHE_LOOK_H
#define MCP_PATTERNS_CACHE_LOOK_CACHE_LOOK_H

#include "../../../core/near/shm_cache.h"
#include "../cache.h"

/* Prefix of a frozen number. memcached refuses to increment an item that begins with it. */
#define MCP_CACHE_FROZEN_MARK "="

/* A side key and the reply to its read. */
typedef struct mcp_cache_side {
	mcp_key key; /* its bytes are in the buffer */
	mcp_status status;
	mcp_item item;
	mcp_key_buffer buffer;
} mcp_cache_side;

/* Read the value and check it against its tags and those of the cache. Cost: 1 round trip, 1 more if the value has
 * tags that the cache does not have. */
void mcp_cache_examine(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Like mcp_cache_examine, but also reads the running number. Missing tags and the number share the second
 * round trip. */
void mcp_cache_observe(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Send a write of a key together with reads of the cache's tags, and of the key unless `entry` is NULL. Sets the
 * write's status. MCP_UNSUPPORTED: nothing was sent. Returns true if the cache's tags have the versions in `tags`.
 * Otherwise, `now` gets the current versions, or is empty. If the write stored nothing, or the versions differ,
 * `entry` is filled as by mcp_cache_examine. */
bool mcp_cache_write_and_read(const mcp_cache *cache, mcp_op *write, mcp_bytes tags,
	mcp_cache_entry *entry, mcp_captured_tags *now);

/* Hide a stale value that a strict cache must not serve (C16). The envelope and the CAS value are kept, because the
 * next write replaces the item. */
void mcp_cache_hide_stale(const mcp_cache *cache, mcp_cache_entry *entry);

/* For an Audit: whether a served value is still stored. If it is not, the data might have changed after the value was
 * served. */

/* A value that was served fresh. Plain data; valid after the call returns. */
typedef struct mcp_served {
	mcp_near_facts facts;
	/* set by a read: the value has tags, so it can be invalidated without a new epoch */
	bool is_tagged;
} mcp_served;

typedef enum mcp_standing {
	MCP_STANDING_YES,  /* the value would be served now, and is not being rebuilt */
	MCP_STANDING_BUSY, /* the value would be served now, and another caller is rebuilding it */
	MCP_STANDING_ENDED, /* the value has expired or was rebuilt, but was not changed or invalidated */
	/* the value was changed or invalidated, or this is unknown, because it was evicted or there was no reply */
	MCP_STANDING_NO,
} mcp_standing;

/* Read the key through the cache's store. Counts nothing, and elects no caller. Cost: 1 round trip, 1 more for tags
 * that the cache does not have. */
mcp_standing mcp_cache_standing(const mcp_cache *cache, const mcp_key *key, mcp_served *served);

/* Return the maximum time for which the value might have been outdated when it was served: the time since its
 * computation began. */
uint64_t mcp_served_age_ms(const mcp_served *served, uint64_t served_ms);

/* Lookup of one value with tags. */

/* Read the value, then its tags, in one multi-get. The running number is read before the value if `side` is given
 * with its key, or if `shows_number` and the value has a counter. All of them are read again if the value has tags
 * that were not requested, or a number to show that was not requested. Fills `entry`, and the side's reply. */
void mcp_cache_read_with_tags(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_side *side, mcp_cache_entry *entry);

/* Lookup of many values with tags. */

/* Give the tags that were created for this key to later keys of the batch on the same server. */
void mcp_cache_share_tags(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index);

#endif
