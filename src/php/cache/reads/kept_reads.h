/* Reads that affect later stores of this process: the tag versions that they found, kept until a value is stored
 * (T7), and the read stamps of a guarded Cache. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_READS_KEPT_READS_H
#define MCP_PHP_CACHE_READS_KEPT_READS_H

#include "../../../patterns/cache/entry/cache_tags.h"
#include "../../../patterns/cache/guarded/cache_guarded.h"
#include "../object/cache_object.h"
#include "php_mcpatterns.h"

/* Records a read by a cache with tags, and creates missing tags, because the caller may compute now. The entry's views
 * stay valid if it has a value. */
void php_mcp_kept_reads_note_tags(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry,
	mcp_read_gave gave);
/* Records a read in a batch. No view of the batch is needed any more. */
void php_mcp_kept_reads_note_tags_among(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch, size_t index, zend_string *name);
/* Records tag versions that a read has found, for a key of this object. */
void php_mcp_kept_reads_keep_tags(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers, mcp_read_gave gave);
/* Records that the value could not be decoded, so the caller got no value. */
void php_mcp_kept_reads_note_undecodable(const mcp_cache_object *object, const mcp_key *key);

/* Captures the tag versions to store with: for each tag the earliest version of the reads since the last own store
 * and of the held claims, otherwise the current version. Empty without tags. An error if they cannot be read. `are_guessed`: set if no
 * version is from an earlier read and the current ones are only guesses. NULL: do not guess. */
mcp_status php_mcp_kept_reads_capture_tags(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured, bool *are_guessed);
/* Returns true if any captured version is from an earlier read or claim. */
bool php_mcp_kept_reads_have_tags(mcp_cache_call *call, zend_string *name);

/* Slow path of php_mcp_kept_reads_note_stored, for a non-empty table. */
void php_mcp_kept_reads_forget_tags(mcp_cache_object *object, const mcp_key *key);
/* After a store of this process with MCP_OK, drops the reads of the key. The value can be as old as the first of these
 * reads, so a later invalidation must affect it. */
static zend_always_inline void php_mcp_kept_reads_note_stored(mcp_cache_object *object,
	const mcp_key *key, mcp_status status) {
	if (UNEXPECTED(MCP_REQUEST(tag_reads) != NULL) && status == MCP_OK) {
		php_mcp_kept_reads_forget_tags(object, key);
	}
}

/* Drops all reads. Call it at the end of the request and again after the last object is freed. */
void php_mcp_kept_reads_reset_tags(void);

/* --- read stamps of guarded Caches --- */

static inline bool php_mcp_kept_reads_need_stamps(const mcp_cache_object *object) {
	return object->options.is_guarded;
}

/* Records the key's first read since this process last stored it. On a miss, this leaves a marker on the server in 1 or
 * 2 round trips. The entry's views stay valid if it has a value. */
void php_mcp_kept_reads_note_stamp(mcp_cache_call *call, const mcp_cache_entry *entry);
/* Records a value from the near cache. */
void php_mcp_kept_reads_note_near_stamp(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry);
/* Records many reads. The caller must not use any view of the batch afterwards. */
void php_mcp_kept_reads_note_stamps(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch);

/* Stores over the recorded item, like `write`: mcp_cache_set, mcp_cache_add unless a fresh value exists, or
 * mcp_cache_replace if one exists. MCP_NOT_STORED: the stored item is a different item. */
mcp_status php_mcp_kept_reads_store(mcp_cache_call *call, const mcp_cache_value *value,
	mcp_cache_writer write);
/* Stores many values this way, and fills in each status. */
void php_mcp_kept_reads_set_many(mcp_cache_object *object, const mcp_cache *cache,
	mcp_cache_setting *settings, size_t count);

/* Records the value that this process has published under the claim as its own value. */
void php_mcp_kept_reads_note_published(mcp_cache_call *call, const mcp_claim *claim);

/* Drops the key's read stamp after this process has deleted or expired the key. After a failure, the stamp is torn.
 * It is kept if it belongs to another Fiber, which may have read its row before. It is also kept if a pull or an
 * expire found no value, because another process may have deleted the recorded value. */
void php_mcp_kept_reads_note_deleted(const mcp_cache_object *object, const mcp_key *key,
	mcp_status status);

/* Records that a Pool's servers changed: stamps of the previous servers are no longer found. */
void php_mcp_kept_reads_doubt_stamps(void);

/* Drops all stamps. Call it at the end of the request and again after the last object is freed. */
void php_mcp_kept_reads_reset_stamps(void);

/* --- invalidation --- */

/* Invalidates tags. Returns true if all servers have replied. `names` are the keys of the table. */
bool php_mcp_kept_reads_invalidate_tags(mcp_cache_object *object, const zend_array *names,
	bool is_strict);
/* Invalidates the tag of all values of the object's prefix. When all servers have replied, drops the state of this
 * Fiber for its keys, and releases claims of get() and lookup(). False with a LogicException if its values have no
 * tag. */
bool php_mcp_kept_reads_clear_cache(mcp_cache_object *object, bool is_strict);
/* Drops the state of this Fiber for all keys on the Pool's servers after a flush. Claims no longer exist, and are
 * not released. */
void php_mcp_kept_reads_end_flushed(mcp_pool *pool);

#endif
