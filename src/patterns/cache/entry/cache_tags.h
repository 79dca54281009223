/* Tags: a value is fresh only if the versions of its tags are the same as before its computation. An increment of a
 * version invalidates every value with the tag. The rules are in docs/spec/tags.md under the labels used here (T1, T2
 * ...). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_ENTRY_CACHE_TAGS_H
#define MCP_PATTERNS_CACHE_ENTRY_CACHE_TAGS_H

#include "../cache.h"

#include <stdlib.h>

/* The result that a read gave its caller. Unless it was a value, the caller might have begun to compute. */
typedef enum mcp_read_gave {
	MCP_READ_GAVE_A_VALUE, /* fresh or stale */
	/* a miss or an election: the caller computes, and uses no data that it read before */
	MCP_READ_GAVE_NOTHING,
	MCP_READ_GAVE_UNKNOWN, /* unknown: the next stored value might be based on an earlier read */
} mcp_read_gave;

/* Capture the tag versions that the entry's lookup has found. They are complete if the lookup ended as ELECTED. No
 * I/O. */
void mcp_cache_capture(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_captured_tags *captured);

/* Capture for an update of the entry's value. The value's other tags are kept, with their versions and signing key.
 * The update is signed with this key, and expires no later than the value (T9). Returns false if there are too many
 * tags, and *captured is then invalid. No tag is omitted, because its invalidation would then not reach the value
 * (T1). */
bool mcp_cache_capture_kept(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_captured_tags *captured);

/* Capture after a lookup whose caller might compute without an election. Sends missing tags once, and does not read.
 * A version that was not acknowledged remains unknown. After a lookup that was not answered, all versions remain
 * unknown. */
void mcp_cache_capture_after_read(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry, mcp_captured_tags *captured);

/* Capture for one entry of a batch. Tags created for it are reused for later keys on the same server. */
void mcp_cache_capture_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index,
	mcp_captured_tags *captured);

/* Merge a later read's tag versions into the recorded versions (T7). A recorded version is kept, because the next
 * stored value might be based on a computation that began at the recorded read. The exception is the first read that
 * missed, which replaces it. An unknown version, or a version that does not fit, is replaced with a version under
 * which no value is valid. `held`: versions of the caller's claim on the key, which no read replaces. NULL: no claim.
 * Empty: several claims. */
void mcp_cache_note_tags(mcp_read_tags *noted, mcp_bytes later, mcp_read_gave gave,
	const mcp_read_tags *held);
/* Replace the recorded version of a tag with the version after the caller's own invalidation. If the tag is then
 * missing, the recorded version is kept, with which no value is valid. */
void mcp_cache_note_invalidated(char *numbers, size_t length, mcp_tag left);
/* Classify the entry's lookup for a caller that requested the value. */
mcp_read_gave mcp_cache_read_gave(const mcp_cache_entry *entry);

/* Capture the cache's tags from previously captured or recorded versions. Missing versions are read now,
 * which invalidates views. */
mcp_status mcp_cache_capture_of(const mcp_cache *cache, const mcp_key *key, mcp_bytes other,
	mcp_captured_tags *captured);

/* Create the tags that the lookup did not find, before a caller computes without an election. No round trip if no tag
 * is missing. Otherwise, this reads and invalidates views. After a failure, the caller must not store with these
 * tags. */
mcp_status mcp_cache_complete_capture(const mcp_cache *cache, const mcp_key *key,
	mcp_captured_tags *captured);

/* Capture the current tag versions completely. Cost: 1 round trip, and 1 per missing tag. Invalidates views. No I/O if
 * the cache has no tags. */
mcp_status mcp_cache_capture_now(const mcp_cache *cache, const mcp_key *key,
	mcp_captured_tags *captured);

/* Capture the versions that a read has found, unless a tag is missing. No I/O. */
void mcp_cache_capture_found(const mcp_cache *cache, const mcp_key *key, const uint64_t *numbers,
	mcp_captured_tags *captured);

/* Guess the current tag versions for a set or add. Returns false if this thread has not read all of them lately. No
 * I/O. */
bool mcp_cache_guess_tags(const mcp_cache *cache, const mcp_key *key, mcp_captured_tags *captured);

/* Make no guesses for the key's server for a while, because the server cannot verify guesses in the write's round
 * trip. */
void mcp_cache_rest_from_guesses(const mcp_cache *cache, const mcp_key *key);

/* Called with the version that an invalidation left for a tag on a server; 0: the tag is missing. */
typedef void (*mcp_tag_hearer)(const mcp_store *server, mcp_tag left);

/* Invalidate all values with these tags (T1, T2), under all names of the tags (T9). MCP_OK if all servers have
 * confirmed. Otherwise, the first failure, but the values on all other servers are invalidated. `is_strict`: stale
 * values are not served either. `hear`: called per name and server that replied; NULL: not called. Cost: 1 round trip
 * per server and per name, or per server and per 16 names if the store can batch. All requests are sent before the
 * first reply is read, unless the store must see each change. Each server gets the tags in their order. */
mcp_status mcp_cache_invalidate(const mcp_cache *cache, mcp_bytes prefix,
	const mcp_cache_tags *tags, bool is_strict, mcp_tag_hearer hear);

/* Return the tag version in a reply; 0 if the tag is missing or there is no reply. */
uint64_t mcp_cache_tag_number(const mcp_op *reply);

/* Buffers for a multi-get of a key and its tags. For a few tags they are inline, otherwise from malloc. */
#define MCP_CACHE_TAGS_FEW 36
typedef struct mcp_cache_tag_scratch {
	void *memory;
	mcp_key *keys;
	mcp_op *replies;
	mcp_key_buffer *buffers;
	mcp_key few_keys[MCP_CACHE_TAGS_FEW];
	mcp_op few_replies[MCP_CACHE_TAGS_FEW];
	mcp_key_buffer few_buffers[MCP_CACHE_TAGS_FEW];
} mcp_cache_tag_scratch;
bool mcp_cache_tag_scratch_allocate(mcp_cache_tag_scratch *scratch, size_t count);
/* Returns false if memory is exhausted. Free the buffers in both cases. */
static inline bool mcp_cache_tag_scratch_take(mcp_cache_tag_scratch *scratch, size_t count) {
	scratch->memory = NULL;
	scratch->keys = scratch->few_keys;
	scratch->replies = scratch->few_replies;
	scratch->buffers = scratch->few_buffers;
	return count <= MCP_CACHE_TAGS_FEW || mcp_cache_tag_scratch_allocate(scratch, count);
}
static inline void mcp_cache_tag_scratch_free(mcp_cache_tag_scratch *scratch) {
	if (scratch->memory != NULL) {
		free(scratch->memory);
	}
}

/* --- for callers that are elected, or compute without an election --- */

/* Create the cache's missing tags. Does not read. MCP_OK: the result can be stored with the entry's versions.
 * MCP_EXISTS: other callers also create these tags, or a reply was lost. Look up again, and do not trust the version
 * that was sent. */
mcp_status mcp_cache_make_tags(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);
/* Whether all tags are known. */
bool mcp_cache_knows_tags(const mcp_cache *cache, const mcp_cache_entry *entry);

/* Decides from tag versions whether a value is fresh, stale or missing (T1, T2, T6). */

/* A tag version that was read. */
typedef struct mcp_cache_tag_found {
	mcp_status status;
	uint64_t number;
	uint64_t changes; /* change counter, read before the tag; 0: no near cache */
} mcp_cache_tag_found;

/* Whether the value has all tags of the cache under their first names. The value's versions of these tags are then in
 * the cache's buffer. */
bool mcp_cache_bears_tags(const mcp_cache *cache, mcp_cache_entry *entry);

/* Returns the version that was read for a tag; NULL: it was not requested. */
typedef const mcp_cache_tag_found *(*mcp_cache_tag_finder)(const void *context,
	uint64_t fingerprint);

/* Update the entry's freshness with the tag versions. `numbers`: buffer for the versions of the cache's tags, if any.
 * Returns false if a required tag, or a tag of the value, was not requested. */
bool mcp_cache_judge_tags(const mcp_cache *cache, mcp_cache_entry *entry, uint64_t *numbers,
	mcp_cache_tag_finder find, const void *context);

/* Return the guess about the key's value. NULL: the guess is that it has no running number, and no other tags than
 * the cache. */
const mcp_read_guess *mcp_cache_read_guess(const mcp_cache *cache, const mcp_key *key);
/* Note the value's tags and running number for the next read. */
void mcp_cache_learn(const mcp_cache *cache, const mcp_key *key, const mcp_cache_entry *entry);

#endif
