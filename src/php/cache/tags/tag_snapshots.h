/* The numbers that this process's looks have found a key's tags to have, until it stores a value: that may have been
 * computed since the first of them, and an invalidation in between must find it (T7). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_LOOKS_H
#define MCP_PHP_CACHE_LOOKS_H

#include "../../../patterns/cache/entry/cache_tags.h"
#include "../object/cache_object.h"
#include "php_mcpatterns.h"

/* Notes a look by a cache with tags: makes what is absent, as its caller may compute now. The entry's views live on
 * if it has a value. */
void php_mcp_tag_snapshots_note(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry,
	mcp_look_gave gave);
/* Notes that of one of many, when no view of any of them is needed any more. */
void php_mcp_tag_snapshots_note_among(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch, size_t index, zend_string *name);
/* Notes numbers that a look has found, for a key of this object. */
void php_mcp_tag_snapshots_keep(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers, mcp_look_gave gave);
/* Notes that what a look has found could not be decoded: its caller was given nothing after all. */
void php_mcp_tag_snapshots_stand(const mcp_cache_object *object, const mcp_key *key);

/* Captures what to store with: of the looks since the last own store and of the claims that are held the earliest,
 * number by number, and else as of now. A failure: they are not to be had. Nothing for a cache without tags. */
mcp_status php_mcp_tag_snapshots_capture(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured);
/* Says whether any of that is of before. */
bool php_mcp_tag_snapshots_are_there(mcp_cache_call *call, zend_string *name);

/* Does php_mcp_tag_snapshots_end's work, if there are any. */
void php_mcp_tag_snapshots_forget(mcp_cache_object *object, const mcp_key *key);
/* Ends the looks, as this process has stored a value under the key. */
static zend_always_inline void php_mcp_tag_snapshots_end(mcp_cache_object *object,
	const mcp_key *key) {
	if (UNEXPECTED(MCP_REQUEST(looks) != NULL)) {
		php_mcp_tag_snapshots_forget(object, key);
	}
}

/* Has those that this Fiber alone has taken on a server count as of its own invalidation of a tag. Where that has left no
 * number they stay as they are, and nothing is valid by them. */
void php_mcp_tag_snapshots_follow(const mcp_tag_left *left);
/* Ends those that this Fiber alone has taken at keys that it has emptied. */
void php_mcp_tag_snapshots_end_emptied(const mcp_emptied *emptied);

/* Forgets all at request end, and once more after the last object is gone. */
void php_mcp_tag_snapshots_reset(void);

#endif
