/* Where a Cache with $near looks before it asks, and what it keeps of the answer. */
/* SPDX-License-Identifier: MIT */
#include "cache_nearby.h"

#include "../environment.h"
#include "../near.h"
#include "class_entry.h"

static zend_never_inline void get_ready(mcp_memo *memo, const mcp_cache_object *object) {
	const mcp_pool_identity *identity = mcp_pool_identify(object->pool);
	memo->near.whose = identity->hash ^ object->options.copies;
	memo->near.whose_else = identity->other_hash;
	memo->near.copy = mcp_near_copy();
	memo->is_shareable = identity->is_shareable;
}

void mcp_cache_nearby_begin(mcp_cache *cache, mcp_near *near, const mcp_cache_object *object) {
	mcp_memo *memo = object->memo;
	if (UNEXPECTED(memo->near.copy == NULL)) {
		get_ready(memo, object);
	}
	*near = memo->near;
	/* What one that saw no outage keeps may be what this one would suspect (P3). */
	bool is_shared = memo->is_shareable && !mcp_pool_saw_outage(object->pool);
	near->room = is_shared ? mcp_near_shared_room() : NULL;
	cache->near = near;
}

static zend_always_inline const mcp_memo_value *recall(const mcp_cache_object *object,
	zend_string *name) {
	mcp_memo *memo = object->memo;
	mcp_memo_value *kept = mcp_memo_find(memo, name);
	if (kept == NULL) {
		return NULL;
	}
	const mcp_environment *environment = object->context.environment;
	bool counts = mcp_near_look_counts(memo->near.changes, memo->near.age_max_ms, &kept->look,
		mcp_monotonic_ms(environment));
	bool has_end = kept->soft_ms != MCP_NEVER_MS;
	if (EXPECTED(counts && (!has_end || mcp_early_wall_ms(environment) < kept->soft_ms))) {
		return kept;
	}
	mcp_memo_drop(memo, kept);
	return NULL;
}

static zend_always_inline void count(const mcp_cache_object *object, uint32_t compute_ms) {
	mcp_cache_statistics *statistics = object->statistics;
	const mcp_meter *meter = object->meter;
	statistics->hits++;
	statistics->near_hits++;
	statistics->saved_ms += compute_ms;
	if (meter != NULL) {
		mcp_meter_add(meter, MCP_COUNT_NEAR_HITS, 1);
		if (compute_ms > 0) {
			mcp_meter_add(meter, MCP_COUNT_SAVED_MS, compute_ms);
		}
	}
}

const mcp_memo_value *mcp_cache_nearby_recall(const mcp_cache_object *object, zend_string *name) {
	return recall(object, name);
}

void mcp_cache_nearby_count(const mcp_cache_object *object, uint32_t compute_ms) {
	count(object, compute_ms);
}

mcp_cache_entry mcp_cache_nearby_entry(const mcp_memo_value *kept) {
	return (mcp_cache_entry){
		.verdict = MCP_VERDICT_FRESH,
		.freshness = MCP_FRESH,
		.has_value = true,
		.envelope =
			{
				.has_value = true,
				.created_ms = kept->created_ms,
				.soft_ms = kept->soft_ms,
				.hard_ms = kept->soft_ms, /* it is served no longer near */
				.epoch = kept->epoch,
				.compute_ms = kept->compute_ms,
				.value_election = kept->election,
			},
	};
}

void mcp_cache_nearby_note(const mcp_cache_object *object, zend_string *name, zval *value,
	const mcp_near_look *look, const mcp_cache_entry *entry) {
	/* Decoding ran user code, which may have changed the key: then the value counts no more, and is not recalled. */
	if (look->may_be_kept) {
		mcp_memo_keep(object->memo, name, value, look, &entry->envelope);
	}
}

bool mcp_cache_nearby_take(const mcp_cache_object *object, zend_string *name, zval *value) {
	const mcp_memo_value *kept = recall(object, name);
	if (kept == NULL) {
		return false;
	}
	count(object, kept->compute_ms);
	ZVAL_COPY(value, (zval *)&kept->value);
	return true;
}

bool mcp_cache_nearby_take_string(mcp_cache_call *call, mcp_near *near, zend_string *name,
	mcp_cache_entry *entry, zval *value) {
	const mcp_cache *cache = &call->cache;
	mcp_near_found found;
	if (cache->signing_keys != NULL) {
		return false;
	}
	if (!mcp_cache_near_open(cache, &call->key, &near->look, &found, entry)) {
		near->has_looked = true;
		return false;
	}
	if ((entry->flags & 0xFFFFu) != MCP_VALUE_STRING) {
		return false;
	}
	zend_string *string = zend_string_alloc(entry->payload.length, false);
	if (!mcp_cache_near_take(&found, entry, ZSTR_VAL(string))) {
		zend_string_efree(string);
		near->has_looked = true;
		return false;
	}
	ZSTR_VAL(string)[ZSTR_LEN(string)] = '\0';
	ZVAL_STR(value, string);
	mcp_cache_near_count(cache, &call->key, entry);
	mcp_memo_keep(call->object->memo, name, value, &found.look, &entry->envelope);
	return true;
}

bool mcp_cache_nearby_ask(mcp_cache_object *object, zend_string *name, mcp_cache_reader read,
	mcp_cache_entry *entry, zval *value) {
	mcp_cache_call call;
	mcp_near near;
	mcp_cache_object_renew(&call, object, name);
	mcp_cache_nearby_begin(&call.cache, &near, object);
	if (mcp_cache_nearby_take_string(&call, &near, name, entry, value)) {
		return true;
	}
	if (!mcp_cache_value_ask(&call, name, read, entry) || entry->verdict == MCP_VERDICT_ELECTED ||
		!mcp_cache_value_decode(&call, entry, value)) {
		return false;
	}
	mcp_cache_nearby_note(object, name, value, &near.look, entry);
	return true;
}

bool mcp_cache_nearby_has(mcp_cache_object *object, zend_string *name) {
	mcp_cache_entry entry;
	zval value;
	if (!mcp_cache_nearby_take(object, name, &value) &&
		!mcp_cache_nearby_ask(object, name, mcp_cache_peek, &entry, &value)) {
		return false;
	}
	zval_ptr_dtor(&value);
	return true;
}

/* The entry is filled whenever there is no exception. */
static bool read_with_story(mcp_cache_object *object, zend_string *name, mcp_cache_entry *entry,
	zval *value) {
	const mcp_memo_value *kept = mcp_cache_nearby_recall(object, name);
	if (kept == NULL) {
		return mcp_cache_nearby_ask(object, name, mcp_cache_read, entry, value);
	}
	mcp_cache_nearby_count(object, kept->compute_ms);
	*entry = mcp_cache_nearby_entry(kept);
	ZVAL_COPY(value, (zval *)&kept->value);
	return true;
}

bool mcp_cache_nearby_tell(mcp_cache_object *object, zend_string *name, zval *story) {
	mcp_cache_entry entry;
	zval value;
	bool is_readable = read_with_story(object, name, &entry, &value);
	if (EG(exception) != NULL) {
		return false;
	}
	mcp_class_entry_create(story, &entry, is_readable ? &value : NULL,
		mcp_wall_ms(mcp_environment_get()));
	return true;
}
