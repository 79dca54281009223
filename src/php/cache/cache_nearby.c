/* Where a Cache with $near looks before it asks, and what it keeps of the answer. */
/* SPDX-License-Identifier: MIT */
#include "cache_nearby.h"

#include "../environment.h"
#include "../near.h"
#include "class_entry.h"

void mcp_cache_nearby_begin(mcp_cache *cache, mcp_near *near, const mcp_cache_object *object) {
	const mcp_pool_identity *identity = mcp_pool_identify(object->pool);
	*near = (mcp_near){
		.changes = mcp_near_changes(),
		.room = identity->is_shareable ? mcp_near_shared_room() : NULL,
		.writer = mcp_near_this_writer(),
		.whose = identity->hash ^ object->options.copies,
		.whose_else = identity->other_hash,
		.age_max_ms = object->options.near_ms,
		.copy = mcp_near_copy(),
	};
	cache->near = near;
}

const mcp_memo_value *mcp_cache_nearby_recall(const mcp_cache_object *object, zend_string *name) {
	const mcp_memo_value *kept = mcp_memo_find(object->memo, name);
	if (kept == NULL) {
		return NULL;
	}
	const mcp_environment *environment = mcp_environment_get();
	bool counts = mcp_near_look_counts(mcp_near_changes(), object->options.near_ms, &kept->look,
		mcp_monotonic_ms(environment));
	bool has_end = kept->soft_ms != MCP_NEVER_MS;
	if (EXPECTED(counts && (!has_end || mcp_wall_ms(environment) < kept->soft_ms))) {
		return kept;
	}
	mcp_memo_drop(object->memo, name);
	return NULL;
}

void mcp_cache_nearby_count(const mcp_cache_object *object, uint32_t compute_ms) {
	mcp_cache_statistics *statistics = object->statistics;
	statistics->hits++;
	statistics->near_hits++;
	statistics->saved_ms += compute_ms;
	if (object->meter != NULL) {
		mcp_meter_add(object->meter, MCP_COUNT_NEAR_HITS, 1);
		mcp_meter_add(object->meter, MCP_COUNT_SAVED_MS, compute_ms);
	}
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
	const mcp_memo_value *kept = mcp_cache_nearby_recall(object, name);
	if (kept == NULL) {
		return false;
	}
	mcp_cache_nearby_count(object, kept->compute_ms);
	ZVAL_COPY(value, (zval *)&kept->value);
	return true;
}

bool mcp_cache_nearby_ask(mcp_cache_object *object, zend_string *name, mcp_cache_reader read,
	mcp_cache_entry *entry, zval *value) {
	mcp_cache_call call;
	mcp_near near;
	mcp_cache_object_renew(&call, object, name);
	mcp_cache_nearby_begin(&call.cache, &near, object);
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
