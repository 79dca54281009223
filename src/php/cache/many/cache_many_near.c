/* Finding near keys among many. The memory's scratch holds one value at a time: each is copied as it is found. */
/* SPDX-License-Identifier: MIT */
#include "cache_many_near.h"

#include "../tags/tag_snapshots.h"
#include "../near/cache_nearby.h"
#include "../object/cache_tag_numbers.h"

/* malloc'ed by the request, as long as the call. */
struct mcp_many_near {
	mcp_near near;
	mcp_near_look *looks; /* one for each key, as all the others */
	zval *values;         /* out of the memo; undefined where they are not */
	zend_string **tags;   /* of what may go into the memo; NULL: none */
	mcp_value_id *drawn;
};

static void begin(mcp_cache_many *many) {
	struct mcp_many_near *made = emalloc(sizeof(*made));
	made->looks = ecalloc(many->count, sizeof(*made->looks));
	made->values = ecalloc(many->count, sizeof(*made->values));
	made->tags = ecalloc(many->count, sizeof(*made->tags));
	made->drawn = ecalloc(many->count, sizeof(*made->drawn));
	php_mcp_cache_nearby_begin(&made->near, many->object);
	many->cache.near = &made->near;
	many->near = made;
}

/* Looks in the memo, then in the host's memory; makes the entry and, of the latter, a copy of the payload. False also if
 * this caller is drawn. */
static bool find(mcp_cache_many *many, size_t i, const mcp_remember *remember,
	mcp_cache_entry *entry, zval *value, zend_string **payload) {
	mcp_near_draw own = {remember, &many->near->drawn[i]};
	const mcp_near_draw *draw = remember != NULL ? &own : NULL;
	mcp_near_look *look = &many->near->looks[i];
	if (php_mcp_cache_nearby_take_with(many->object, many->names[i], draw, entry, value)) {
		return true;
	}
	if (own.drawn->is_set) {
		mcp_cache_near_begin(many->near->near.host, &many->keys[i], look);
		return false;
	}
	if (!mcp_cache_near_take(&many->cache, &many->keys[i], draw, look, entry)) {
		return false;
	}
	*payload = zend_string_init(entry->payload.data, entry->payload.length, false);
	return true;
}

static void swap_keys(mcp_cache_many *many, size_t i, size_t j) {
	zend_string *name = many->names[i];
	many->names[i] = many->names[j];
	many->names[j] = name;
	mcp_key key = many->keys[i];
	many->keys[i] = many->keys[j];
	many->keys[j] = key;
	mcp_near_look look = many->near->looks[i];
	many->near->looks[i] = many->near->looks[j];
	many->near->looks[j] = look;
}

/* Copies the tags: the scratch, or the answer, is good for what comes next. */
static void copy_tags(mcp_cache_many *many, size_t i) {
	if (many->near->looks[i].may_be_kept) {
		many->near->tags[i] = php_mcp_cache_tag_numbers_copy(many->entries[i].envelope.tags);
	}
}

/* Notes a value out of the host's memory; one out of the memo notes it itself. */
static void note_look(mcp_cache_many *many, size_t i) {
	if (many->cache.tags != NULL) {
		mcp_captured_tags captured;
		mcp_cache_capture(&many->cache, &many->entries[i], &captured);
		php_mcp_tag_snapshots_keep(many->object, &many->keys[i], many->names[i],
			mcp_captured_tags_view(&captured), MCP_LOOK_GAVE_A_VALUE);
	}
}

/* Puts it behind the keys that are asked for, where nothing has been found before. */
static void put_last(mcp_cache_many *many, size_t i, const mcp_cache_entry *entry,
	const zval *value, zend_string *payload) {
	size_t last = --many->asked;
	swap_keys(many, i, last);
	many->entries[last] = *entry;
	many->copies[last] = payload;
	if (payload != NULL) {
		copy_tags(many, last);
		note_look(many, last);
	}
	ZVAL_COPY_VALUE(&many->near->values[last], value);
}

void php_mcp_cache_many_near_find(mcp_cache_many *many, const mcp_remember *remember) {
	begin(many);
	for (size_t i = 0; i < many->asked;) {
		mcp_cache_entry entry;
		zval value;
		zend_string *payload = NULL;
		ZVAL_UNDEF(&value);
		if (find(many, i, remember, &entry, &value, &payload)) {
			put_last(many, i, &entry, &value, payload);
		} else {
			i++;
		}
	}
}

void php_mcp_cache_many_near_keep(mcp_cache_many *many) {
	if (many->near == NULL) {
		return;
	}
	for (size_t i = 0; i < many->asked; i++) {
		mcp_cache_near_keep(&many->cache, &many->keys[i], &many->near->looks[i], &many->entries[i]);
		copy_tags(many, i);
	}
}

static bool take_out_of_memo(mcp_cache_many *many, size_t i, zval *value) {
	zval *kept = &many->near->values[i];
	if (Z_ISUNDEF_P(kept)) {
		return false;
	}
	ZVAL_COPY_VALUE(value, kept);
	ZVAL_UNDEF(kept);
	return true;
}

bool php_mcp_cache_many_near_take(mcp_cache_many *many, size_t i, zval *value) {
	if (many->near == NULL) {
		return php_mcp_cache_many_take(many, i, value);
	}
	if (take_out_of_memo(many, i, value)) {
		return true;
	}
	if (!php_mcp_cache_many_take(many, i, value)) {
		return false;
	}
	bool is_found = i >= many->asked;
	mcp_memo_origin origin = {
		.look = many->near->looks[i],
		.facts = mcp_near_facts_of(&many->entries[i].envelope),
		.tags = many->near->tags[i],
	};
	(is_found ? php_mcp_cache_nearby_note_found : php_mcp_cache_nearby_note)(many->object,
		many->names[i], value, &origin);
	return true;
}

mcp_cache_batch php_mcp_cache_many_near_batch(mcp_cache_many *many) {
	mcp_cache_batch batch = php_mcp_cache_many_batch(many);
	batch.drawn = many->near != NULL ? many->near->drawn : NULL;
	return batch;
}

static void forget(mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		zval_ptr_dtor(&many->near->values[i]);
		if (many->near->tags[i] != NULL) {
			zend_string_release(many->near->tags[i]);
		}
	}
	efree(many->near->looks);
	efree(many->near->values);
	efree(many->near->tags);
	efree(many->near->drawn);
	efree(many->near);
}

void php_mcp_cache_many_near_end(mcp_cache_many *many) {
	if (many->near != NULL) {
		forget(many);
	}
	php_mcp_cache_many_end(many);
}
