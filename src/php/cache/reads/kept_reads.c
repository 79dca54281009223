/* Keeps tag versions (T7) and read stamps of reads by key. The process's next store of the key depends on them. */
/* SPDX-License-Identifier: MIT */
#include "kept_reads.h"

#include "../../engine/computing.h"
#include "../../host/shared_memory.h"
#include "../../host/process.h"
#include "../claims/cache_claims.h"
#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

/* A table of the keys that this process has read during the request. All Caches with the same servers and prefix
 * share its entries. */

/* Maximum number of keys. A further key replaces the oldest key. */
#define KEPT_MAX 16384

/* Indexed by a hash of servers, prefix and key, oldest first. Keys with the same hash share an entry. A forged
 * collision gains nothing: a store of one key then ends the reads of the other key, but so do reads of KEPT_MAX
 * further keys. */
typedef struct mcp_kept_table {
	HashTable by_key; /* hash => a kept_read; the internal pointer is at the oldest */
	pid_t pid;
	bool has_forgotten; /* entries were dropped, for lack of space or by a fork */
} mcp_kept_table;

/* The head of a key's data. Allocated with emalloc(), together with the rest. */
typedef struct kept_read {
	mcp_kept_place place;
	bool is_of_several; /* several Fibers have read the key; the place has the first Fiber */
} kept_read;

/* Drop the parent's entries in a forked child, and note that entries were dropped, because the child's stores can be
 * based on the parent's reads. */
static mcp_kept_table *of_this_process(mcp_kept_table *table) {
	if (table != NULL && table->pid != php_mcp_process_id()) {
		zend_hash_clean(&table->by_key);
		table->pid = php_mcp_process_id();
		table->has_forgotten = true;
	}
	return table;
}

static void free_kept(zval *kept) {
	efree(Z_PTR_P(kept));
}

static void prepare_table(mcp_kept_table **table) {
	if (EXPECTED(of_this_process(*table) != NULL)) {
		return;
	}
	mcp_kept_table *made = emalloc(sizeof(*made));
	made->pid = php_mcp_process_id();
	made->has_forgotten = false;
	zend_hash_init(&made->by_key, 8, NULL, free_kept, false);
	zend_hash_real_init_mixed(&made->by_key);
	*table = made;
}

static void reset_table(mcp_kept_table **table) {
	if (*table != NULL) {
		zend_hash_destroy(&(*table)->by_key);
		efree(*table);
		*table = NULL;
	}
}

static zend_ulong hash_of(const mcp_cache_object *object, const mcp_key *key) {
	return (zend_ulong)(key->fingerprint ^ php_mcp_pool_servers_hash(object->pool));
}

/* Finds the data of a key of this object. NULL: none. */
static void *find_kept(mcp_kept_table *table, const mcp_cache_object *object, const mcp_key *key) {
	return of_this_process(table) != NULL
		? zend_hash_index_find_ptr(&table->by_key, hash_of(object, key))
		: NULL;
}

static void forget_oldest(mcp_kept_table *table) {
	zend_string *name;
	zend_ulong hash;
	if (zend_hash_get_current_key(&table->by_key, &name, &hash) == HASH_KEY_IS_LONG) {
		zend_hash_index_del(&table->by_key, hash);
		table->has_forgotten = true;
	}
}

/* Allocates `size` bytes for the data of a new key, and fills in the head. Can drop the oldest entry, but never the
 * new entry. */
static void *add_kept(mcp_kept_table **table, const mcp_cache_object *object, const mcp_key *key,
	size_t size) {
	prepare_table(table);
	if (zend_hash_num_elements(&(*table)->by_key) == KEPT_MAX) {
		forget_oldest(*table);
	}
	kept_read *kept = emalloc(size);
	*kept = (kept_read){.place = php_mcp_cache_object_place(object, key)};
	zend_hash_index_add_new_ptr(&(*table)->by_key, hash_of(object, key), kept);
	return kept;
}

static bool is_of_this_fiber(const kept_read *kept) {
	return kept->place.fiber == php_mcp_fiber_now();
}

/* Records that this Fiber has read the key, too. */
static void note_fiber(kept_read *kept) {
	kept->is_of_several |= !is_of_this_fiber(kept);
}

static int is_emptied(zval *value, void *emptied) {
	const kept_read *kept = Z_PTR_P(value);
	bool is_over = !kept->is_of_several && php_mcp_cache_object_has_emptied(emptied, &kept->place);
	return is_over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

static void end_emptied_in(mcp_kept_table *table, const mcp_emptied *emptied) {
	if (of_this_process(table) != NULL) {
		zend_hash_apply_with_argument(&table->by_key, is_emptied, (void *)emptied);
	}
}

/* --- tag versions --- */

/* The reads of one key. */
typedef struct kept_tag_reads {
	kept_read kept;
	size_t length;
	bool stand;
	char numbers[]; /* see mcp_read_tags */
} kept_tag_reads;

static kept_tag_reads *find_tag_reads(const mcp_cache_object *object, const mcp_key *key) {
	return find_kept(MCP_REQUEST(tag_reads), object, key);
}

static void copy(mcp_read_tags *noted, const kept_tag_reads *kept) {
	noted->length = kept->length;
	noted->stand = kept->stand;
	memcpy(noted->bytes, kept->numbers, kept->length);
}

/* Merge the tag versions of a miss. `held` gets the versions of the only claim on the key, or is empty if there are
 * several claims. */
static void merge_after_miss(mcp_cache_object *object, zend_string *name, mcp_read_tags *noted,
	mcp_bytes numbers) {
	mcp_read_tags held;
	mcp_read_tags_clear(&held);
	size_t claims = php_mcp_cache_claims_collect_tags(object, name, &held);
	if (claims > 1) {
		held.length = 0;
	}
	mcp_cache_note_tags(noted, numbers, MCP_READ_GAVE_NOTHING, claims > 0 ? &held : NULL);
}

void php_mcp_kept_reads_keep_tags(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers, mcp_read_gave gave) {
	kept_tag_reads *kept = find_tag_reads(object, key);
	mcp_read_tags noted;
	mcp_read_tags_clear(&noted);
	if (kept == NULL) { /* without other reads, a claim counts as a read at its election */
		php_mcp_cache_claims_collect_tags(object, name, &noted);
	} else {
		note_fiber(&kept->kept);
		copy(&noted, kept);
	}
	if (kept != NULL && gave == MCP_READ_GAVE_NOTHING) {
		merge_after_miss(object, name, &noted, numbers);
	} else {
		mcp_cache_note_tags(&noted, numbers, gave, NULL);
	}
	size_t size = offsetof(kept_tag_reads, numbers) + noted.length;
	if (kept == NULL) {
		kept = add_kept(&MCP_REQUEST(tag_reads), object, key, size);
	} else if (UNEXPECTED(noted.length != kept->length)) {
		zval *place = zend_hash_index_find(&MCP_REQUEST(tag_reads)->by_key, hash_of(object, key));
		kept = Z_PTR_P(place) = erealloc(kept, size);
	}
	kept->length = noted.length;
	kept->stand = noted.stand;
	memcpy(kept->numbers, noted.bytes, noted.length);
}

/* Returns true if the read found the state that is already recorded, which is usual for a repeated read in a
 * request. */
static bool is_as_noted(const mcp_cache_call *call, const mcp_cache_entry *entry,
	mcp_read_gave gave) {
	const mcp_cache_tags *tags = call->cache.tags;
	const kept_tag_reads *kept = find_tag_reads(call->object, &call->key);
	if (kept == NULL || (!kept->kept.is_of_several && !is_of_this_fiber(&kept->kept)) ||
		kept->length != (size_t)tags->count * MCP_TAG_LENGTH ||
		(gave != MCP_READ_GAVE_A_VALUE && !kept->stand)) {
		return false;
	}
	mcp_bytes noted = mcp_bytes_of(kept->numbers, kept->length);
	for (unsigned i = 0; i < tags->count; i++) {
		mcp_tag tag = mcp_tags_at(noted, i);
		if (tag.fingerprint != tags->fingerprints[i] || tag.number != entry->tag_numbers[i]) {
			return false;
		}
	}
	return true;
}

void php_mcp_kept_reads_note_tags(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry,
	mcp_read_gave gave) {
	mcp_captured_tags captured;
	if (EXPECTED(entry->trouble == MCP_OK) && is_as_noted(call, entry, gave)) {
		return;
	}
	mcp_cache_capture_after_read(&call->cache, &call->key, entry, &captured);
	if (!entry->has_value && entry->trouble == MCP_OK) {
		mcp_cache_complete_capture(&call->cache, &call->key, &captured);
	}
	php_mcp_kept_reads_keep_tags(call->object, &call->key, name, mcp_captured_tags_view(&captured),
		gave);
}

void php_mcp_kept_reads_note_tags_among(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch, size_t index, zend_string *name) {
	const mcp_key *key = &batch->keys[index];
	const mcp_cache_entry *entry = &batch->entries[index];
	mcp_captured_tags captured;
	mcp_cache_capture_among(cache, batch, index, &captured);
	if (!entry->has_value && entry->trouble == MCP_OK) {
		mcp_cache_complete_capture(cache, key, &captured);
	}
	php_mcp_kept_reads_keep_tags(object, key, name, mcp_captured_tags_view(&captured),
		mcp_cache_read_gave(entry));
}

static void gather(mcp_cache_call *call, zend_string *name, mcp_read_tags *noted) {
	const kept_tag_reads *kept = find_tag_reads(call->object, &call->key);
	mcp_read_tags_clear(noted);
	if (kept != NULL) {
		copy(noted, kept);
	}
	php_mcp_cache_claims_collect_tags(call->object, name, noted);
}

mcp_status php_mcp_kept_reads_capture_tags(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured, bool *are_guessed) {
	mcp_read_tags noted;
	gather(call, name, &noted);
	if (are_guessed != NULL && noted.length == 0) {
		*are_guessed = mcp_cache_guess_tags(&call->cache, &call->key, captured);
		if (*are_guessed) {
			return MCP_OK;
		}
	}
	return mcp_cache_capture_of(&call->cache, &call->key, mcp_read_tags_view(&noted), captured);
}

bool php_mcp_kept_reads_have_tags(mcp_cache_call *call, zend_string *name) {
	mcp_read_tags noted;
	gather(call, name, &noted);
	return noted.length > 0;
}

void php_mcp_kept_reads_note_undecodable(const mcp_cache_object *object, const mcp_key *key) {
	kept_tag_reads *kept = find_tag_reads(object, key);
	if (kept != NULL) {
		kept->stand = true;
	}
}

void php_mcp_kept_reads_forget_tags(mcp_cache_object *object, const mcp_key *key) {
	if (of_this_process(MCP_REQUEST(tag_reads)) != NULL) {
		zend_hash_index_del(&MCP_REQUEST(tag_reads)->by_key, hash_of(object, key));
	}
}

/* Updates the reads on this server that only this Fiber has made, after it has invalidated a tag. If the tag has no
 * version there, the reads stay unchanged, and no value that is stored with them is valid. */
static void follow_invalidation(const mcp_invalidated_tag *left) {
	kept_tag_reads *kept;
	if (of_this_process(MCP_REQUEST(tag_reads)) == NULL) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(&MCP_REQUEST(tag_reads)->by_key, kept) {
		if (!kept->kept.is_of_several && is_of_this_fiber(&kept->kept) &&
			kept->kept.place.server == left->server) {
			mcp_cache_note_invalidated(kept->numbers, kept->length, left->tag);
		}
	}
	ZEND_HASH_FOREACH_END();
}

void php_mcp_kept_reads_reset_tags(void) {
	reset_table(&MCP_REQUEST(tag_reads));
}

/* --- read stamps of guarded Caches --- */

#define STAMPS_AT_ONCE 4096

/* The data of a key of a guarded Cache: the value or marker that a later store replaces. */
typedef struct kept_stamp {
	kept_read kept;
	mcp_read_stamp stamp;
} kept_stamp;

/* Finds the key's read stamp, which any object with the same servers and prefix might have added. Records that this
 * Fiber has read the key, too. */
static kept_stamp *find_read_stamp(const mcp_cache_object *object, const mcp_key *key) {
	kept_stamp *found = find_kept(MCP_REQUEST(read_stamps), object, key);
	if (found != NULL) {
		note_fiber(&found->kept);
	}
	return found;
}

/* Finds the key's read stamp, or adds one, which can drop the oldest stamp. */
static mcp_read_stamp *find_or_add_stamp(const mcp_cache_object *object, const mcp_key *key) {
	kept_stamp *found = find_read_stamp(object, key);
	if (found == NULL) {
		found = add_kept(&MCP_REQUEST(read_stamps), object, key, sizeof(*found));
		found->stamp = (mcp_read_stamp){.state = MCP_READ_STAMP_NONE};
	}
	return &found->stamp;
}

static size_t count_new(const mcp_cache_object *object, const mcp_key *key, size_t stride,
	size_t count) {
	size_t new_ones = 0;
	const char *at = (const char *)key;
	for (size_t i = 0; i < count; i++, at += stride) {
		new_ones += find_read_stamp(object, (const mcp_key *)at) == NULL;
	}
	return new_ones;
}

/* Makes space for the read stamps of up to STAMPS_AT_ONCE keys, so that a new stamp does not drop a stamp of these
 * keys. The first key is at `key`, and each next key is `stride` bytes later. The oldest stamps are dropped if
 * necessary, even if they belong to these keys. */
static void reserve_stamps(const mcp_cache_object *object, const mcp_key *key, size_t stride,
	size_t count) {
	ZEND_ASSERT(count <= STAMPS_AT_ONCE);
	mcp_kept_table *table = of_this_process(MCP_REQUEST(read_stamps));
	size_t kept = table != NULL ? zend_hash_num_elements(&table->by_key) : 0;
	if (kept + count <= KEPT_MAX || kept + count_new(object, key, stride, count) <= KEPT_MAX) {
		return;
	}
	for (; kept + count > KEPT_MAX; kept--) {
		forget_oldest(table);
	}
}

void php_mcp_kept_reads_doubt_stamps(void) {
	if (of_this_process(MCP_REQUEST(read_stamps)) != NULL) {
		MCP_REQUEST(read_stamps)->has_forgotten = true;
	}
}

/* Returns true if a stamp was dropped. A key without a stamp might then have been read. */
static bool were_forgotten(void) {
	return of_this_process(MCP_REQUEST(read_stamps)) != NULL &&
		MCP_REQUEST(read_stamps)->has_forgotten;
}

void php_mcp_kept_reads_reset_stamps(void) {
	reset_table(&MCP_REQUEST(read_stamps));
}

void php_mcp_kept_reads_note_stamp(mcp_cache_call *call, const mcp_cache_entry *entry) {
	mcp_cache_guarded_stamp(&call->cache, &call->key, entry,
		find_or_add_stamp(call->object, &call->key));
}

void php_mcp_kept_reads_note_near_stamp(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry) {
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	php_mcp_kept_reads_note_stamp(&call, entry);
}

/* Records the stamps of at most STAMPS_AT_ONCE keys. */
static void note_some_stamps(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch) {
	mcp_read_stamp **read_stamps = safe_emalloc(batch->count, sizeof(*read_stamps), 0);
	reserve_stamps(object, batch->keys, sizeof(*batch->keys), batch->count);
	for (size_t i = 0; i < batch->count; i++) {
		read_stamps[i] = find_or_add_stamp(object, &batch->keys[i]);
	}
	mcp_cache_guarded_stamp_many(cache, batch, read_stamps);
	efree(read_stamps);
}

void php_mcp_kept_reads_note_stamps(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch) {
	for (size_t at = 0; at < batch->count; at += STAMPS_AT_ONCE) {
		mcp_cache_batch some = *batch;
		some.keys += at;
		some.entries += at;
		some.count = MIN(batch->count - at, STAMPS_AT_ONCE);
		note_some_stamps(object, cache, &some);
	}
}

typedef mcp_status (*guarded_writer)(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *stamp);

/* Store with the key's read stamp. If stamps were dropped, discard the value of a key without a stamp, because the
 * key might have been read. */
static mcp_status store_stamped(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_key *key, const mcp_cache_value *value, guarded_writer write) {
	if (UNEXPECTED(were_forgotten()) && find_read_stamp(object, key) == NULL) {
		return mcp_cache_guarded_discard(cache, key);
	}
	return write(cache, key, value, object->options.holdoff_ms, find_or_add_stamp(object, key));
}

mcp_status php_mcp_kept_reads_store(mcp_cache_call *call, const mcp_cache_value *value,
	mcp_cache_writer write) {
	guarded_writer guarded = mcp_cache_guarded_set;
	if (write == mcp_cache_add) {
		guarded = mcp_cache_guarded_add;
	} else if (write == mcp_cache_replace) {
		guarded = mcp_cache_guarded_replace;
	}
	return store_stamped(call->object, &call->cache, &call->key, value, guarded);
}

void php_mcp_kept_reads_set_many(mcp_cache_object *object, const mcp_cache *cache,
	mcp_cache_setting *settings, size_t count) {
	ZEND_ASSERT(count <= MCP_CACHE_BATCH_MAX);
	reserve_stamps(object, &settings->key, sizeof(*settings), count);
	if (UNEXPECTED(were_forgotten())) {
		for (size_t i = 0; i < count; i++) {
			settings[i].status = store_stamped(object, cache, &settings[i].key, &settings[i].value,
				mcp_cache_guarded_set);
		}
		return;
	}
	mcp_read_stamp *read_stamps[MCP_CACHE_BATCH_MAX];
	for (size_t i = 0; i < count; i++) {
		read_stamps[i] = find_or_add_stamp(object, &settings[i].key);
	}
	mcp_cache_guarded_set_many(cache, settings, read_stamps, count, object->options.holdoff_ms);
}

void php_mcp_kept_reads_note_published(mcp_cache_call *call, const mcp_claim *claim) {
	mcp_cache_guarded_stamp_published(&call->cache, find_or_add_stamp(call->object, &call->key),
		claim);
}

void php_mcp_kept_reads_note_deleted(const mcp_cache_object *object, const mcp_key *key,
	mcp_status status) {
	kept_stamp *found = status != MCP_NOT_FOUND ? find_read_stamp(object, key) : NULL;
	if (found != NULL && (mcp_status_is_failure(status) || !found->kept.is_of_several)) {
		mcp_cache_guarded_stamp_deleted(&found->stamp, status);
	}
}

/* --- invalidation: clear() and flush() also drop reads and claims --- */

/* Call after this Fiber has invalidated a tag on this server. Updates its reads of keys with this tag, and its claims
 * of get() and lookup(), so that they count as later than the invalidation. Claims of rebuilds are not updated
 * (T8). */
static void note_invalidated(const mcp_store *server, mcp_tag left) {
	mcp_invalidated_tag of_server = {php_mcp_cache_object_server_hash(server->address), left};
	follow_invalidation(&of_server);
	php_mcp_cache_claims_note_invalidated(&of_server);
}

/* Invalidates the tags. Returns true if all servers have replied. */
static bool invalidate(mcp_cache_object *object, const mcp_cache_tags *tags, bool is_strict) {
	mcp_cache cache = php_mcp_cache_object_context(object);
	mcp_status status = mcp_cache_invalidate(&cache, php_mcp_pool_prefix(object->pool), tags,
		is_strict, note_invalidated);
	/* Raise the change counters even though each reply raises them, because a server that is down sent no reply
	 * (P2). */
	for (size_t i = 0; i < mcp_cache_tags_names(tags); i++) {
		mcp_changes_raise(php_mcp_shared_memory_changes(), tags->fingerprints[i]);
	}
	return status == MCP_OK;
}

bool php_mcp_kept_reads_invalidate_tags(mcp_cache_object *object, const zend_array *names,
	bool is_strict) {
	mcp_cache_tags *tags = php_mcp_cache_object_make_tags(object->pool, NULL, names);
	bool have_all_replied = invalidate(object, tags, is_strict);
	efree(tags);
	return have_all_replied;
}

static void end_all_emptied(const mcp_emptied *emptied) {
	end_emptied_in(MCP_REQUEST(tag_reads), emptied);
	end_emptied_in(MCP_REQUEST(read_stamps), emptied);
	php_mcp_cache_claims_end_emptied(emptied);
}

bool php_mcp_kept_reads_clear_cache(mcp_cache_object *object, bool is_strict) {
	if (!object->options.is_clearable) {
		zend_throw_exception(spl_ce_LogicException,
			"This Cache cannot be cleared: create it with clearable: true", 0);
		return false;
	}
	bool have_all_replied = invalidate(object, php_mcp_cache_object_base(object)->tags, is_strict);
	if (have_all_replied) {
		end_all_emptied(&(mcp_emptied){
			.pool = object->pool,
			.key_namespace = php_mcp_cache_object_namespace_hash(object),
		});
	}
	return have_all_replied;
}

void php_mcp_kept_reads_end_flushed(mcp_pool *pool) {
	end_all_emptied(&(mcp_emptied){.pool = pool, .is_everything = true});
}
