/* The work that a guarded Cache adds to its methods: notes what they find, stores in its place. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_GUARDED_CACHE_GUARDING_H
#define MCP_PHP_CACHE_GUARDED_CACHE_GUARDING_H

#include "../../../patterns/cache/guarded/cache_guarded.h"
#include "../object/cache_object.h"

static inline bool php_mcp_cache_guarding_is_on(const mcp_cache_object *object) {
	return object->options.is_guarded;
}

/* Notes a look, if it is the key's first since the last own store; where nothing stands a mark is left, in one round trip or
 * two. The entry's views live on if it has a value. */
void php_mcp_cache_guarding_note(mcp_cache_call *call, const mcp_cache_entry *entry);
/* Notes a value that was near. */
void php_mcp_cache_guarding_note_near(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry);
/* Notes many, when no view of any of them is needed any more. */
void php_mcp_cache_guarding_note_many(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch);

/* Stores as mcp_cache_set, or where a fresh value stays as mcp_cache_add, or where one is as mcp_cache_replace: in the
 * place of what was noted. MCP_NOT_STORED: something else has come there. */
mcp_status php_mcp_cache_guarding_set(mcp_cache_call *call, const mcp_cache_value *value);
mcp_status php_mcp_cache_guarding_add(mcp_cache_call *call, const mcp_cache_value *value);
mcp_status php_mcp_cache_guarding_replace(mcp_cache_call *call, const mcp_cache_value *value);
/* Stores many so, and fills in each one's status. */
void php_mcp_cache_guarding_set_many(mcp_cache_object *object, const mcp_cache *cache,
	mcp_cache_setting *settings, size_t count);

/* Notes the value that this process has published under the claim, as its own. */
void php_mcp_cache_guarding_note_published(mcp_cache_call *call, const mcp_claim *claim);

/* Ends the key's note, which this process has deleted or expired itself; torn after a failure. It stays where
 * another Fiber has looked, too, which may have read its row before, and where a pull or an expire found nothing: then
 * somebody else may have deleted what was noted. */
void php_mcp_cache_guarding_note_deleted(const mcp_cache_object *object, const mcp_key *key,
	mcp_status status);

/* The notes that this process has made at looks through guarded Caches, until its request ends: which value, or which mark
 * in the place of one, what it stores later is meant to replace. */

/* Notes that a Pool has other servers: what was noted on those before is not found any more. */
void php_mcp_read_stamps_doubt(void);

/* Ends those that this Fiber alone has made at keys that it has emptied. */
void php_mcp_read_stamps_end_emptied(const mcp_emptied *emptied);

/* Forgets all at request end, and once more after the last object is gone. */
void php_mcp_read_stamps_reset(void);

#endif
