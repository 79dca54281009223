/* Read stamps of a guarded Cache: records what its reads find, and stores only over that. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_GUARDED_CACHE_GUARDING_H
#define MCP_PHP_CACHE_GUARDED_CACHE_GUARDING_H

#include "../../../patterns/cache/guarded/cache_guarded.h"
#include "../object/cache_object.h"

static inline bool php_mcp_cache_guarding_is_on(const mcp_cache_object *object) {
	return object->options.is_guarded;
}

/* Records the key's first read since this process last stored it. On a miss, this leaves a marker on the server in 1 or
 * 2 round trips. The entry's views stay valid if it has a value. */
void php_mcp_cache_guarding_note(mcp_cache_call *call, const mcp_cache_entry *entry);
/* Records a value from the near cache. */
void php_mcp_cache_guarding_note_near(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry);
/* Records many reads. The caller must not use any view of the batch afterwards. */
void php_mcp_cache_guarding_note_many(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch);

/* Stores over the recorded item: as mcp_cache_set, as mcp_cache_add unless a fresh value exists, or as
 * mcp_cache_replace if one exists. MCP_NOT_STORED: the stored item is a different one. */
mcp_status php_mcp_cache_guarding_set(mcp_cache_call *call, const mcp_cache_value *value);
mcp_status php_mcp_cache_guarding_add(mcp_cache_call *call, const mcp_cache_value *value);
mcp_status php_mcp_cache_guarding_replace(mcp_cache_call *call, const mcp_cache_value *value);
/* Stores many values this way, and fills in each status. */
void php_mcp_cache_guarding_set_many(mcp_cache_object *object, const mcp_cache *cache,
	mcp_cache_setting *settings, size_t count);

/* Records the value that this process has published under the claim as its own. */
void php_mcp_cache_guarding_note_published(mcp_cache_call *call, const mcp_claim *claim);

/* Ends the key's read stamp after this process has deleted or expired the key. The stamp is torn after a failure. It
 * stays if another Fiber has it, which may have read its row before. It also stays if a pull or an expire found no
 * value: another process may have deleted the recorded one. */
void php_mcp_cache_guarding_note_deleted(const mcp_cache_object *object, const mcp_key *key,
	mcp_status status);

/* The read stamps of guarded Caches, until the request ends: the value or marker that a later store replaces. */

/* Records that a Pool's servers changed: stamps of the previous servers are no longer found. */
void php_mcp_read_stamps_doubt(void);

/* Ends the stamps that only this Fiber has of keys that it has emptied. */
void php_mcp_read_stamps_end_emptied(const mcp_emptied *emptied);

/* Drops all stamps. Call it at the end of the request and again after the last object is freed. */
void php_mcp_read_stamps_reset(void);

#endif
