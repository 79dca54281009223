/* Keeps the read stamps of a guarded Cache for the request, and stores by them. */
/* SPDX-License-Identifier: MIT */
#include "cache_guarding.h"

#include "../object/cache_object.h"
#include "php_mcpatterns.h"

/* Maximum number of read stamps that are reserved at once. */
#define MCP_NOTES_AT_ONCE 4096

/* An entry of the key table with a read stamp. */

typedef struct kept_note {
	mcp_kept kept;
	mcp_read_stamp note;
} kept_note;

/* Finds the entry of the key, and records that this Fiber has it, too. */
static kept_note *find(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *found = php_mcp_key_table_find(&MCP_REQUEST(notes), object, key);
	if (found != NULL) {
		php_mcp_key_table_note_fiber(&found->kept);
	}
	return found;
}

/* Finds the read stamp of the key, from any object with the same servers and prefix. NULL if there is none. */
static mcp_read_stamp *php_mcp_read_stamps_find(const mcp_cache_object *object,
	const mcp_key *key) {
	kept_note *found = find(object, key);
	return found != NULL ? &found->note : NULL;
}

/* Finds the read stamp if no other Fiber has it. */
static mcp_read_stamp *php_mcp_read_stamps_find_own(const mcp_cache_object *object,
	const mcp_key *key) {
	kept_note *found = find(object, key);
	return found != NULL && !found->kept.is_of_several ? &found->note : NULL;
}

/* Finds or creates a read stamp. Creation can forget the oldest one. */
static mcp_read_stamp *php_mcp_read_stamps_make(const mcp_cache_object *object,
	const mcp_key *key) {
	kept_note *note = find(object, key);
	if (note == NULL) {
		note = php_mcp_key_table_add(&MCP_REQUEST(notes), object, key, sizeof(*note));
		note->note = (mcp_read_stamp){.state = MCP_READ_STAMP_NONE};
	}
	return &note->note;
}

static size_t count_new(const mcp_cache_object *object, const mcp_key *key, size_t stride,
	size_t count) {
	size_t new_ones = 0;
	const char *at = (const char *)key;
	for (size_t i = 0; i < count; i++, at += stride) {
		new_ones += find(object, (const mcp_key *)at) == NULL;
	}
	return new_ones;
}

/* Reserves read stamps for up to MCP_NOTES_AT_ONCE keys, so that creating one neither forgets nor moves another. The
 * first key is at `key`, each next one `stride` bytes later. If space is short, the oldest stamps are forgotten. These
 * can belong to the same keys. */
static void php_mcp_read_stamps_reserve(const mcp_cache_object *object, const mcp_key *key,
	size_t stride, size_t count) {
	ZEND_ASSERT(count <= MCP_NOTES_AT_ONCE);
	size_t kept = php_mcp_key_table_count(&MCP_REQUEST(notes));
	if (kept + count <= MCP_KEPT_MAX ||
		kept + count_new(object, key, stride, count) <= MCP_KEPT_MAX) {
		return;
	}
	for (; kept + count > MCP_KEPT_MAX; kept--) {
		php_mcp_key_table_forget_oldest(&MCP_REQUEST(notes));
	}
}

void php_mcp_read_stamps_doubt(void) {
	php_mcp_key_table_doubt(&MCP_REQUEST(notes));
}

/* Returns true if a stamp was forgotten, for lack of space or by a fork: a key without a stamp may have been read. */
static bool php_mcp_read_stamps_were_forgotten(void) {
	return php_mcp_key_table_has_forgotten(&MCP_REQUEST(notes));
}

void php_mcp_read_stamps_end_emptied(const mcp_emptied *emptied) {
	php_mcp_key_table_end_emptied(&MCP_REQUEST(notes), emptied);
}

void php_mcp_read_stamps_reset(void) {
	php_mcp_key_table_reset(&MCP_REQUEST(notes));
}

void php_mcp_cache_guarding_note(mcp_cache_call *call, const mcp_cache_entry *entry) {
	mcp_cache_guarded_note(&call->cache, &call->key, entry,
		php_mcp_read_stamps_make(call->object, &call->key));
}

void php_mcp_cache_guarding_note_near(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry) {
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	php_mcp_cache_guarding_note(&call, entry);
}

/* Handles at most MCP_NOTES_AT_ONCE keys. */
static void note_some(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch) {
	mcp_read_stamp **notes = safe_emalloc(batch->count, sizeof(*notes), 0);
	php_mcp_read_stamps_reserve(object, batch->keys, sizeof(*batch->keys), batch->count);
	for (size_t i = 0; i < batch->count; i++) {
		notes[i] = php_mcp_read_stamps_make(object, &batch->keys[i]);
	}
	mcp_cache_guarded_note_many(cache, batch, notes);
	efree(notes);
}

void php_mcp_cache_guarding_note_many(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch) {
	for (size_t at = 0; at < batch->count; at += MCP_NOTES_AT_ONCE) {
		mcp_cache_batch some = *batch;
		some.keys += at;
		some.entries += at;
		some.count = MIN(batch->count - at, MCP_NOTES_AT_ONCE);
		note_some(object, cache, &some);
	}
}

typedef mcp_status (*guarded_writer)(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *note);

/* If a read stamp was forgotten, a key without one may have been read, with an unknown result. */
static mcp_status store(mcp_cache_object *object, const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_value *value, guarded_writer write) {
	if (UNEXPECTED(php_mcp_read_stamps_were_forgotten()) &&
		php_mcp_read_stamps_find(object, key) == NULL) {
		return mcp_cache_guarded_discard(cache, key);
	}
	return write(cache, key, value, object->options.holdoff_ms,
		php_mcp_read_stamps_make(object, key));
}

mcp_status php_mcp_cache_guarding_set(mcp_cache_call *call, const mcp_cache_value *value) {
	return store(call->object, &call->cache, &call->key, value, mcp_cache_guarded_set);
}

mcp_status php_mcp_cache_guarding_add(mcp_cache_call *call, const mcp_cache_value *value) {
	return store(call->object, &call->cache, &call->key, value, mcp_cache_guarded_add);
}

mcp_status php_mcp_cache_guarding_replace(mcp_cache_call *call, const mcp_cache_value *value) {
	return store(call->object, &call->cache, &call->key, value, mcp_cache_guarded_replace);
}

static void set_each(mcp_cache_object *object, const mcp_cache *cache, mcp_cache_setting *settings,
	size_t count) {
	for (size_t i = 0; i < count; i++) {
		settings[i].status =
			store(object, cache, &settings[i].key, &settings[i].value, mcp_cache_guarded_set);
	}
}

void php_mcp_cache_guarding_set_many(mcp_cache_object *object, const mcp_cache *cache,
	mcp_cache_setting *settings, size_t count) {
	ZEND_ASSERT(count <= MCP_CACHE_BATCH_MAX);
	php_mcp_read_stamps_reserve(object, &settings->key, sizeof(*settings), count);
	if (UNEXPECTED(php_mcp_read_stamps_were_forgotten())) {
		set_each(object, cache, settings, count);
		return;
	}
	mcp_read_stamp *notes[MCP_CACHE_BATCH_MAX];
	for (size_t i = 0; i < count; i++) {
		notes[i] = php_mcp_read_stamps_make(object, &settings[i].key);
	}
	mcp_cache_guarded_set_many(cache, settings, notes, count, object->options.holdoff_ms);
}

void php_mcp_cache_guarding_note_published(mcp_cache_call *call, const mcp_claim *claim) {
	mcp_cache_guarded_note_published(&call->cache,
		php_mcp_read_stamps_make(call->object, &call->key), claim);
}

void php_mcp_cache_guarding_note_deleted(const mcp_cache_object *object, const mcp_key *key,
	mcp_status status) {
	if (status == MCP_NOT_FOUND) {
		return;
	}
	mcp_read_stamp *note = mcp_status_is_failure(status)
		? php_mcp_read_stamps_find(object, key)
		: php_mcp_read_stamps_find_own(object, key);
	if (note != NULL) {
		mcp_cache_guarded_note_delete(note, status);
	}
}
