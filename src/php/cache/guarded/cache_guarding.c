/* Keeps the read stamps of a guarded Cache for the request, and stores by them. */
/* SPDX-License-Identifier: MIT */
#include "cache_guarding.h"

#include "../object/cache_object.h"
#include "php_mcpatterns.h"

/* Room is made for so many at once, at most. */
#define MCP_NOTES_AT_ONCE 4096

/* Keeps notes in a table of what is kept of keys, and makes room for many at once. */

typedef struct kept_note {
	mcp_kept kept;
	mcp_read_stamp note;
} kept_note;

/* Finds it, and notes that this Fiber has it, too. */
static kept_note *find(const mcp_cache_object *object, const mcp_key *key) {
	kept_note *found = php_mcp_key_table_find(&MCP_REQUEST(notes), object, key);
	if (found != NULL) {
		php_mcp_key_table_note_fiber(&found->kept);
	}
	return found;
}

/* Finds the note of a key of this object, whichever object of the same servers and prefix made it. NULL if there is none. */
static mcp_read_stamp *php_mcp_read_stamps_find(const mcp_cache_object *object,
	const mcp_key *key) {
	kept_note *found = find(object, key);
	return found != NULL ? &found->note : NULL;
}

/* Finds it if no other Fiber has it, too. */
static mcp_read_stamp *php_mcp_read_stamps_find_own(const mcp_cache_object *object,
	const mcp_key *key) {
	kept_note *found = find(object, key);
	return found != NULL && !found->kept.is_of_several ? &found->note : NULL;
}

/* Makes one where there is none, which may forget the oldest. */
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

/* Makes room for notes of so many keys, MCP_NOTES_AT_ONCE at most: none of theirs is forgotten when they are made, one
 * after the other, and all of them keep their places. The first key stands at `key`, each next one `stride` bytes later.
 * Forgets enough for all of them where not all new ones have room: the oldest may be some of these keys' own. */
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

/* Says whether one was forgotten, for want of room or by a fork: who has no note may have looked. */
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

/* Takes so many as room is made for together. */
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

/* Stores. A look at a key without a note may have been forgotten: then nobody can say what was found. */
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
