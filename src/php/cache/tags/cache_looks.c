/* Keeps what looks have found by a hash of servers, prefix and key, the oldest first. A forked child begins without: what
 * its parent looked at long ago would make all that its children store old, as none of them ends the parent's looks. */
/* SPDX-License-Identifier: MIT */
#include "cache_looks.h"

#include "../../engine/fiber.h"
#include "../../host/process.h"
#include "../claims/cache_claims.h"
#include "../object/cache_tag_numbers.h"

#define LOOKS_MAX 16384

/* Those at one key; emalloc'ed. */
typedef struct kept_looks {
	mcp_kept_place place;
	bool is_of_several; /* Fibers, of which the place has the first */
	size_t length;
	bool stand;
	char numbers[]; /* as of mcp_noted_tags */
} kept_looks;

struct mcp_looks {
	HashTable by_key; /* hash => kept_looks; its internal pointer is at the oldest */
	pid_t pid;
};

static mcp_looks *looks_of_this_process(void) {
	if (MCP_G(looks) != NULL && MCP_G(looks)->pid != php_mcp_process_id()) {
		php_mcp_cache_looks_reset();
	}
	return MCP_G(looks);
}

static void release(zval *kept) {
	efree(Z_PTR_P(kept));
}

static mcp_looks *make_room(void) {
	mcp_looks *looks = looks_of_this_process();
	if (UNEXPECTED(looks == NULL)) {
		looks = emalloc(sizeof(*looks));
		looks->pid = php_mcp_process_id();
		zend_hash_init(&looks->by_key, 8, NULL, release, false);
		zend_hash_real_init_mixed(&looks->by_key);
		MCP_G(looks) = looks;
	}
	return looks;
}

static zend_ulong place_of(const mcp_cache_object *object, const mcp_key *key) {
	return (zend_ulong)(key->fingerprint ^ php_mcp_pool_servers_hash(object->pool));
}

static kept_looks *find(const mcp_cache_object *object, const mcp_key *key) {
	mcp_looks *looks = looks_of_this_process();
	return looks != NULL ? zend_hash_index_find_ptr(&looks->by_key, place_of(object, key)) : NULL;
}

static inline mcp_bytes numbers_of(const kept_looks *kept) {
	return mcp_bytes_of(kept->numbers, kept->length);
}

static void copy(mcp_noted_tags *noted, const kept_looks *kept) {
	noted->length = kept->length;
	noted->stand = kept->stand;
	memcpy(noted->bytes, kept->numbers, kept->length);
}

static void fill(kept_looks *kept, const mcp_noted_tags *noted) {
	kept->length = noted->length;
	kept->stand = noted->stand;
	memcpy(kept->numbers, noted->bytes, noted->length);
}

static kept_looks *keep_copy(const mcp_noted_tags *noted, const mcp_kept_place *place) {
	kept_looks *kept = emalloc(offsetof(kept_looks, numbers) + noted->length);
	kept->place = *place;
	kept->is_of_several = false;
	fill(kept, noted);
	return kept;
}

/* Keeps in its stead what has more or less numbers. */
static void replace(const mcp_cache_object *object, const mcp_key *key, const kept_looks *before,
	const mcp_noted_tags *noted) {
	kept_looks *kept = keep_copy(noted, &before->place);
	kept->is_of_several = before->is_of_several;
	zend_hash_index_update_ptr(&MCP_G(looks)->by_key, place_of(object, key), kept);
}

static bool is_of_this_fiber(const kept_looks *kept) {
	return kept->place.fiber == php_mcp_fiber_now();
}

static void forget_oldest(HashTable *looks) {
	zend_string *name;
	zend_ulong place;
	if (zend_hash_get_current_key(looks, &name, &place) == HASH_KEY_IS_LONG) {
		zend_hash_index_del(looks, place);
	}
}

/* Keeps the first: a claim that is older than all looks that are left counts from its election. */
static void keep_first(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers, mcp_look_gave gave) {
	HashTable *looks = &make_room()->by_key;
	mcp_noted_tags noted;
	mcp_noted_tags_clear(&noted);
	php_mcp_cache_claims_note_tags(object, name, &noted);
	mcp_cache_note_tags(&noted, numbers, gave, NULL);
	if (zend_hash_num_elements(looks) == LOOKS_MAX) {
		forget_oldest(looks);
	}
	mcp_kept_place place = php_mcp_cache_emptied_place(object, key);
	zend_hash_index_add_new_ptr(looks, place_of(object, key), keep_copy(&noted, &place));
}

/* Adds them, unless an older claim than the look is held. */
static void note_anew(mcp_cache_object *object, zend_string *name, mcp_noted_tags *noted,
	mcp_bytes numbers) {
	mcp_noted_tags held;
	mcp_noted_tags_clear(&held);
	size_t claims = php_mcp_cache_claims_note_tags(object, name, &held);
	if (claims > 1) {
		held.length = 0;
	}
	mcp_cache_note_tags(noted, numbers, MCP_LOOK_GAVE_NOTHING, claims > 0 ? &held : NULL);
}

void php_mcp_cache_looks_keep(mcp_cache_object *object, const mcp_key *key, zend_string *name,
	mcp_bytes numbers, mcp_look_gave gave) {
	kept_looks *kept = find(object, key);
	if (kept == NULL) {
		keep_first(object, key, name, numbers, gave);
		return;
	}
	kept->is_of_several |= !is_of_this_fiber(kept);
	mcp_noted_tags noted;
	copy(&noted, kept);
	if (gave == MCP_LOOK_GAVE_NOTHING) {
		note_anew(object, name, &noted, numbers);
	} else {
		mcp_cache_note_tags(&noted, numbers, gave, NULL);
	}
	if (EXPECTED(noted.length == kept->length)) {
		fill(kept, &noted);
	} else {
		replace(object, key, kept, &noted);
	}
}

/* Says whether it is known that this Fiber has looked. */
static inline bool knows_fiber(const kept_looks *kept) {
	return kept->is_of_several || is_of_this_fiber(kept);
}

/* Says whether it is as was noted, as nearly always when a request looks again. */
static bool is_as_noted(const mcp_cache_call *call, const mcp_cache_entry *entry,
	mcp_look_gave gave) {
	const mcp_cache_tags *tags = call->cache.tags;
	const kept_looks *kept = find(call->object, &call->key);
	if (kept == NULL || !knows_fiber(kept) ||
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

void php_mcp_cache_looks_note(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry,
	mcp_look_gave gave) {
	mcp_captured_tags captured;
	if (EXPECTED(entry->trouble == MCP_OK) && is_as_noted(call, entry, gave)) {
		return;
	}
	mcp_cache_capture_look(&call->cache, &call->key, entry, &captured);
	if (!entry->has_value && entry->trouble == MCP_OK) {
		mcp_cache_complete_capture(&call->cache, &call->key, &captured);
	}
	php_mcp_cache_looks_keep(call->object, &call->key, name, mcp_captured_tags_view(&captured),
		gave);
}

void php_mcp_cache_looks_note_among(mcp_cache_object *object, const mcp_cache *cache,
	const mcp_cache_batch *batch, size_t index, zend_string *name) {
	const mcp_key *key = &batch->keys[index];
	const mcp_cache_entry *entry = &batch->entries[index];
	mcp_captured_tags captured;
	mcp_cache_capture_among(cache, batch, index, &captured);
	if (!entry->has_value && entry->trouble == MCP_OK) {
		mcp_cache_complete_capture(cache, key, &captured);
	}
	php_mcp_cache_looks_keep(object, key, name, mcp_captured_tags_view(&captured),
		mcp_cache_look_gave(entry));
}

static void gather(mcp_cache_call *call, zend_string *name, mcp_noted_tags *noted) {
	const kept_looks *kept = find(call->object, &call->key);
	mcp_noted_tags_clear(noted);
	if (kept != NULL) {
		copy(noted, kept);
	}
	php_mcp_cache_claims_note_tags(call->object, name, noted);
}

mcp_status php_mcp_cache_looks_capture(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured) {
	mcp_noted_tags noted;
	gather(call, name, &noted);
	return mcp_cache_capture_of(&call->cache, &call->key, mcp_noted_tags_view(&noted), captured);
}

bool php_mcp_cache_looks_are_there(mcp_cache_call *call, zend_string *name) {
	mcp_noted_tags noted;
	gather(call, name, &noted);
	return noted.length > 0;
}

void php_mcp_cache_looks_stand(const mcp_cache_object *object, const mcp_key *key) {
	kept_looks *kept = find(object, key);
	if (kept != NULL) {
		kept->stand = true;
	}
}

void php_mcp_cache_looks_forget(mcp_cache_object *object, const mcp_key *key) {
	mcp_looks *looks = looks_of_this_process();
	if (looks != NULL) {
		zend_hash_index_del(&looks->by_key, place_of(object, key));
	}
}

static int is_emptied(zval *value, void *emptied) {
	const kept_looks *kept = Z_PTR_P(value);
	bool is_over = !kept->is_of_several && php_mcp_cache_emptied_has(emptied, &kept->place);
	return is_over ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

void php_mcp_cache_looks_end_emptied(const mcp_emptied *emptied) {
	mcp_looks *looks = looks_of_this_process();
	if (looks != NULL) {
		zend_hash_apply_with_argument(&looks->by_key, is_emptied, (void *)emptied);
	}
}

void php_mcp_cache_looks_reset(void) {
	if (MCP_G(looks) != NULL) {
		zend_hash_destroy(&MCP_G(looks)->by_key);
		efree(MCP_G(looks));
		MCP_G(looks) = NULL;
	}
}
