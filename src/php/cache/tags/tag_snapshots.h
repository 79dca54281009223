/* The tag versions that this process's reads of a key have found, until it stores a value (T7). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_LOOKS_H
#define MCP_PHP_CACHE_LOOKS_H

#include "../../../patterns/cache/entry/cache_tags.h"
#include "../object/cache_object.h"
#include "php_mcpatterns.h"

/* Records a read by a cache with tags, and creates missing tags, because the caller may compute now. The entry's views
 * stay valid if it has a value. */
void php_mcp_tag_snapshots_note(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry,
	mcp_look_gave gave);
/* Records a read in a batch. No view of the batch is needed any more. */
void php_mcp_tag_snapshots_note_among(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch, size_t index, zend_string *name);
/* Records tag versions that a read has found, for a key of this object. */
void php_mcp_tag_snapshots_keep(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers, mcp_look_gave gave);
/* Records that the value could not be decoded: the caller got none. */
void php_mcp_tag_snapshots_stand(const mcp_cache_object *object, const mcp_key *key);

/* Captures the tag versions to store with: for each tag the earliest of the reads since the last own store and of the
 * held claims, else the current ones. Empty without tags. An error if they cannot be read. */
mcp_status php_mcp_tag_snapshots_capture(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured);
/* Returns true if any captured version is from an earlier read or claim. */
bool php_mcp_tag_snapshots_are_there(mcp_cache_call *call, zend_string *name);

/* Implements php_mcp_tag_snapshots_end for a non-empty table. */
void php_mcp_tag_snapshots_forget(mcp_cache_object *object, const mcp_key *key);
/* Ends the reads of the key after this process has stored a value under it. The value can be as old as the first of
 * these reads, so a later invalidation must affect it. */
static zend_always_inline void php_mcp_tag_snapshots_end(mcp_cache_object *object,
	const mcp_key *key) {
	if (UNEXPECTED(MCP_REQUEST(looks) != NULL)) {
		php_mcp_tag_snapshots_forget(object, key);
	}
}

/* Applies this Fiber's own invalidation of a tag to the reads that only it has made on a server. Without a version left
 * they stay unchanged, and nothing stored by them is valid. */
void php_mcp_tag_snapshots_follow(const mcp_tag_left *left);
/* Ends the reads that only this Fiber has made of keys that it has emptied. */
void php_mcp_tag_snapshots_end_emptied(const mcp_emptied *emptied);

/* Drops all reads. Call it at the end of the request and again after the last object is freed. */
void php_mcp_tag_snapshots_reset(void);

#endif
