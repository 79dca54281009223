/* Keeps what looks have found by a hash of servers, prefix and key, the oldest first. A forked child begins without: what
 * its parent looked at long ago would make all that its children store old, as none of them ends the parent's looks. */
/* SPDX-License-Identifier: MIT */
#include "cache_looks.h"

#include "../process.h"
#include "cache_claims.h"
#include "cache_tag_numbers.h"

#define LOOKS_MAX 16384

struct mcp_looks {
	HashTable by_key; /* hash => string of numbers; its internal pointer is at the oldest */
	pid_t pid;
};

static mcp_looks *looks_of_this_process(void) {
	if (MCP_G(looks) != NULL && MCP_G(looks)->pid != mcp_process_id()) {
		mcp_cache_looks_reset();
	}
	return MCP_G(looks);
}

static mcp_looks *make_room(void) {
	mcp_looks *looks = looks_of_this_process();
	if (UNEXPECTED(looks == NULL)) {
		looks = emalloc(sizeof(*looks));
		looks->pid = mcp_process_id();
		zend_hash_init(&looks->by_key, 8, NULL, ZVAL_PTR_DTOR, false);
		zend_hash_real_init_mixed(&looks->by_key);
		MCP_G(looks) = looks;
	}
	return looks;
}

static zend_ulong place_of(const mcp_cache_object *object, const mcp_key *key) {
	return (zend_ulong)(key->fingerprint ^ mcp_pool_servers_hash(object->pool));
}

static zval *find(const mcp_cache_object *object, const mcp_key *key) {
	mcp_looks *looks = looks_of_this_process();
	return looks != NULL ? zend_hash_index_find(&looks->by_key, place_of(object, key)) : NULL;
}

static void copy(mcp_noted_tags *noted, const zval *kept) {
	noted->length = Z_STRLEN_P(kept);
	memcpy(noted->bytes, Z_STRVAL_P(kept), noted->length);
}

static void forget_oldest(HashTable *looks) {
	zend_string *name;
	zend_ulong place;
	if (zend_hash_get_current_key(looks, &name, &place) == HASH_KEY_IS_LONG) {
		zend_hash_index_del(looks, place);
	}
}

/* A claim that is older than all looks that are left counts from its election. */
static void keep_first(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers) {
	HashTable *looks = &make_room()->by_key;
	mcp_noted_tags noted;
	noted.length = 0;
	mcp_cache_claims_note_tags(object, name, &noted);
	mcp_cache_note_tags(&noted, numbers);
	if (zend_hash_num_elements(looks) == LOOKS_MAX) {
		forget_oldest(looks);
	}
	zval kept;
	ZVAL_STR(&kept, mcp_cache_tag_numbers_copy(mcp_noted_tags_view(&noted)));
	zend_hash_index_add_new(looks, place_of(object, key), &kept);
}

void mcp_cache_looks_keep(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers) {
	zval *kept = find(object, key);
	if (kept == NULL) {
		keep_first(object, key, name, numbers);
		return;
	}
	mcp_noted_tags noted;
	copy(&noted, kept);
	mcp_cache_note_tags(&noted, numbers);
	if (UNEXPECTED(noted.length != Z_STRLEN_P(kept))) {
		zend_string_release(Z_STR_P(kept));
		ZVAL_STR(kept, mcp_cache_tag_numbers_copy(mcp_noted_tags_view(&noted)));
	}
}

/* As nearly always when a request looks again. */
static bool is_as_noted(const mcp_cache_call *call, const mcp_cache_entry *entry) {
	const mcp_cache_tags *tags = call->cache.tags;
	const zval *kept = find(call->object, &call->key);
	if (kept == NULL || Z_STRLEN_P(kept) != (size_t)tags->count * MCP_TAG_LENGTH) {
		return false;
	}
	mcp_bytes noted = mcp_cache_tag_numbers_view(Z_STR_P(kept));
	for (unsigned i = 0; i < tags->count; i++) {
		mcp_tag tag = mcp_tags_at(noted, i);
		if (tag.fingerprint != tags->fingerprints[i] || tag.number != entry->tag_numbers[i]) {
			return false;
		}
	}
	return true;
}

void mcp_cache_looks_note(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry) {
	mcp_captured_tags captured;
	if (EXPECTED(entry->trouble == MCP_OK) && is_as_noted(call, entry)) {
		return;
	}
	mcp_cache_capture_look(&call->cache, &call->key, entry, &captured);
	if (!entry->has_value && entry->trouble == MCP_OK) {
		mcp_cache_complete_capture(&call->cache, &call->key, &captured);
	}
	mcp_cache_looks_keep(call->object, &call->key, name, mcp_captured_tags_view(&captured));
}

void mcp_cache_looks_note_among(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch, size_t index, zend_string *name) {
	const mcp_key *key = &batch->keys[index];
	const mcp_cache_entry *entry = &batch->entries[index];
	mcp_captured_tags captured;
	mcp_cache_capture_among(cache, batch, index, &captured);
	if (!entry->has_value && entry->trouble == MCP_OK) {
		mcp_cache_complete_capture(cache, key, &captured);
	}
	mcp_cache_looks_keep(object, key, name, mcp_captured_tags_view(&captured));
}

static void gather(mcp_cache_call *call, zend_string *name, mcp_noted_tags *noted) {
	const zval *kept = find(call->object, &call->key);
	noted->length = 0;
	if (kept != NULL) {
		copy(noted, kept);
	}
	mcp_cache_claims_note_tags(call->object, name, noted);
}

mcp_status mcp_cache_looks_capture(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured) {
	mcp_noted_tags noted;
	gather(call, name, &noted);
	return mcp_cache_capture_of(&call->cache, &call->key, mcp_noted_tags_view(&noted), captured);
}

bool mcp_cache_looks_are_there(mcp_cache_call *call, zend_string *name) {
	mcp_noted_tags noted;
	gather(call, name, &noted);
	return noted.length > 0;
}

void mcp_cache_looks_forget(mcp_cache_object *object, const mcp_key *key) {
	mcp_looks *looks = looks_of_this_process();
	if (looks != NULL) {
		zend_hash_index_del(&looks->by_key, place_of(object, key));
	}
}

void mcp_cache_looks_reset(void) {
	if (MCP_G(looks) != NULL) {
		zend_hash_destroy(&MCP_G(looks)->by_key);
		efree(MCP_G(looks));
		MCP_G(looks) = NULL;
	}
}
