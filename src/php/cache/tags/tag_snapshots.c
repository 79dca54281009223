/* Keeps the tag versions that reads have found in a key table. */
/* SPDX-License-Identifier: MIT */
#include "tag_snapshots.h"

#include "../claims/cache_claims.h"
#include "../object/cache_object.h"
#include "../object/cache_tag_numbers.h"

/* The reads of one key. */
typedef struct kept_looks {
	mcp_kept kept;
	size_t length;
	bool stand;
	char numbers[]; /* as in mcp_read_tags */
} kept_looks;

static kept_looks *find(const mcp_cache_object *object, const mcp_key *key) {
	return php_mcp_key_table_find(&MCP_REQUEST(looks), object, key);
}

static inline mcp_bytes numbers_of(const kept_looks *kept) {
	return mcp_bytes_of(kept->numbers, kept->length);
}

static void copy(mcp_read_tags *noted, const kept_looks *kept) {
	noted->length = kept->length;
	noted->stand = kept->stand;
	memcpy(noted->bytes, kept->numbers, kept->length);
}

static void fill(kept_looks *kept, const mcp_read_tags *noted) {
	kept->length = noted->length;
	kept->stand = noted->stand;
	memcpy(kept->numbers, noted->bytes, noted->length);
}

static size_t size_of(const mcp_read_tags *noted) {
	return offsetof(kept_looks, numbers) + noted->length;
}

/* Keep the first read. A claim older than all remaining reads counts from its election. */
static void keep_first(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers, mcp_look_gave gave) {
	mcp_read_tags noted;
	mcp_read_tags_clear(&noted);
	php_mcp_cache_claims_note_tags(object, name, &noted);
	mcp_cache_note_tags(&noted, numbers, gave, NULL);
	fill(php_mcp_key_table_add(&MCP_REQUEST(looks), object, key, size_of(&noted)), &noted);
}

/* Add the versions, unless an older claim is held. */
static void note_anew(mcp_cache_object *object, zend_string *name, mcp_read_tags *noted,
	mcp_bytes numbers) {
	mcp_read_tags held;
	mcp_read_tags_clear(&held);
	size_t claims = php_mcp_cache_claims_note_tags(object, name, &held);
	if (claims > 1) {
		held.length = 0;
	}
	mcp_cache_note_tags(noted, numbers, MCP_LOOK_GAVE_NOTHING, claims > 0 ? &held : NULL);
}

void php_mcp_tag_snapshots_keep(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers, mcp_look_gave gave) {
	kept_looks *kept = find(object, key);
	if (kept == NULL) {
		keep_first(object, key, name, numbers, gave);
		return;
	}
	php_mcp_key_table_note_fiber(&kept->kept);
	mcp_read_tags noted;
	copy(&noted, kept);
	if (gave == MCP_LOOK_GAVE_NOTHING) {
		note_anew(object, name, &noted, numbers);
	} else {
		mcp_cache_note_tags(&noted, numbers, gave, NULL);
	}
	if (UNEXPECTED(noted.length != kept->length)) {
		kept = php_mcp_key_table_resize(&MCP_REQUEST(looks), object, key, size_of(&noted));
	}
	fill(kept, &noted);
}

/* Returns true if the read found the recorded state, the usual case for a repeated read in a request. */
static bool is_as_noted(const mcp_cache_call *call, const mcp_cache_entry *entry,
	mcp_look_gave gave) {
	const mcp_cache_tags *tags = call->cache.tags;
	const kept_looks *kept = find(call->object, &call->key);
	if (kept == NULL || !php_mcp_key_table_knows_fiber(&kept->kept) ||
		kept->length != (size_t)tags->count * MCP_TAG_LENGTH ||
		(gave != MCP_LOOK_GAVE_A_VALUE && !kept->stand)) {
		return false;
	}
	mcp_bytes noted = numbers_of(kept);
	for (unsigned i = 0; i < tags->count; i++) {
		mcp_tag tag = mcp_tags_at(noted, i);
		if (tag.fingerprint != tags->fingerprints[i] || tag.number != entry->tag_numbers[i]) {
			return false;
		}
	}
	return true;
}

void php_mcp_tag_snapshots_note(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry,
	mcp_look_gave gave) {
	mcp_captured_tags captured;
	if (EXPECTED(entry->trouble == MCP_OK) && is_as_noted(call, entry, gave)) {
		return;
	}
	mcp_cache_capture_look(&call->cache, &call->key, entry, &captured);
	if (!entry->has_value && entry->trouble == MCP_OK) {
		mcp_cache_complete_capture(&call->cache, &call->key, &captured);
	}
	php_mcp_tag_snapshots_keep(call->object, &call->key, name, mcp_captured_tags_view(&captured),
		gave);
}

void php_mcp_tag_snapshots_note_among(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch, size_t index, zend_string *name) {
	const mcp_key *key = &batch->keys[index];
	const mcp_cache_entry *entry = &batch->entries[index];
	mcp_captured_tags captured;
	mcp_cache_capture_among(cache, batch, index, &captured);
	if (!entry->has_value && entry->trouble == MCP_OK) {
		mcp_cache_complete_capture(cache, key, &captured);
	}
	php_mcp_tag_snapshots_keep(object, key, name, mcp_captured_tags_view(&captured),
		mcp_cache_look_gave(entry));
}

static void gather(mcp_cache_call *call, zend_string *name, mcp_read_tags *noted) {
	const kept_looks *kept = find(call->object, &call->key);
	mcp_read_tags_clear(noted);
	if (kept != NULL) {
		copy(noted, kept);
	}
	php_mcp_cache_claims_note_tags(call->object, name, noted);
}

mcp_status php_mcp_tag_snapshots_capture(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured) {
	mcp_read_tags noted;
	gather(call, name, &noted);
	return mcp_cache_capture_of(&call->cache, &call->key, mcp_read_tags_view(&noted), captured);
}

bool php_mcp_tag_snapshots_are_there(mcp_cache_call *call, zend_string *name) {
	mcp_read_tags noted;
	gather(call, name, &noted);
	return noted.length > 0;
}

void php_mcp_tag_snapshots_stand(const mcp_cache_object *object, const mcp_key *key) {
	kept_looks *kept = find(object, key);
	if (kept != NULL) {
		kept->stand = true;
	}
}

void php_mcp_tag_snapshots_forget(mcp_cache_object *object, const mcp_key *key) {
	php_mcp_key_table_remove(&MCP_REQUEST(looks), object, key);
}

static void follow(void *entry, const void *context) {
	kept_looks *kept = entry;
	const mcp_tag_left *left = context;
	if (kept->kept.place.server == left->server) {
		mcp_cache_note_left(kept->numbers, kept->length, left->tag);
	}
}

void php_mcp_tag_snapshots_follow(const mcp_tag_left *left) {
	php_mcp_key_table_visit(&MCP_REQUEST(looks), follow, left);
}

void php_mcp_tag_snapshots_end_emptied(const mcp_emptied *emptied) {
	php_mcp_key_table_end_emptied(&MCP_REQUEST(looks), emptied);
}

void php_mcp_tag_snapshots_reset(void) {
	php_mcp_key_table_reset(&MCP_REQUEST(looks));
}
