/* Leads from a call to the note of its key. */
/* SPDX-License-Identifier: MIT */
#include "cache_guarding.h"

#include "read_stamps.h"

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
