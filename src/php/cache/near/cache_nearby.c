/* Reads of a Cache with $near: checks the object cache and the near cache first, and keeps the values of replies. */
/* SPDX-License-Identifier: MIT */
#include "cache_nearby.h"

#include "../../../patterns/cache/entry/cache_meter.h"
#include "../../host/environment.h"
#include "../../host/shared_memory.h"
#include "../../engine/user.h"
#include "../reads/kept_reads.h"
#include "../object/cache_object.h"
#include "../entry/class_entry.h"
#include "php_mcpatterns.h"

/* Prepare for the current user. The object cache keeps its values, because this object has read them itself, even if
 * as another user. */
static zend_never_inline void prepare_for_user(mcp_memo *memo, const mcp_cache_object *object) {
	memo->ready_at = php_mcp_user_changes_count();
	const mcp_pool_identity *identity = php_mcp_pool_identify(object->pool);
	memo->host.whose = identity->hash[0] ^ object->options.copies;
	memo->host.whose_else = identity->hash[1];
	memo->host.copy = php_mcp_shared_memory_near_copy();
	bool may_share = identity->is_shareable && !memo->is_for_prefetch;
	memo->shared = may_share ? php_mcp_shared_memory_near_cache() : NULL;
	memo->takes_strings = object->context.signing_keys == NULL && !object->records_reads;
}

/* Returns true if this process saw an outage, and would therefore suspect a value that another process kept without
 * one (P3). This is possible only with failover or copies. */
static zend_always_inline bool may_suspect(const mcp_cache_object *object) {
	return (object->copies != NULL || php_mcp_pool_fails_over(object->pool)) &&
		php_mcp_pool_saw_outage(object->pool);
}

static zend_always_inline void begin_near_read(mcp_near *near, const mcp_cache_object *object) {
	mcp_memo *memo = object->memo;
	if (UNEXPECTED(memo->ready_at != php_mcp_user_changes_count())) {
		prepare_for_user(memo, object);
	}
	bool is_shared =
		memo->shared != NULL && MCP_G(clock).monotonic_offset_ms == 0 && !may_suspect(object);
	memo->host.shm_cache = is_shared ? memo->shared : NULL;
	near->host = &memo->host;
	near->has_looked = false;
}

void php_mcp_cache_nearby_begin(mcp_near *near, const mcp_cache_object *object) {
	begin_near_read(near, object);
}

/* Recall a value with tags, and check the change counters of all its tags, too (P2). The result counts as a read
 * through the view (T7). */
static zend_never_inline mcp_memo_value *recall_tagged(mcp_cache_object *object, zend_string *name,
	const mcp_near_moment *now, mcp_memo_value *kept) {
	mcp_memo *memo = object->memo;
	mcp_bytes tags = php_mcp_cache_object_view_tag_versions(kept->of.tags);
	bool counts = mcp_cache_near_tagged_is_valid(&memo->host, &kept->of.near_read, tags,
					  mcp_near_monotonic_ms(object->context.environment, now)) &&
		!mcp_end_is_reached(kept->of.facts.soft_ms,
			mcp_near_early_wall_ms(object->context.environment, now));
	if (!counts) {
		php_mcp_cache_memo_drop(memo, kept);
		return NULL;
	}
	if (object->tags != NULL) {
		mcp_key_buffer buffer;
		mcp_key key = php_mcp_cache_object_key(object, name, &buffer);
		php_mcp_kept_reads_keep_tags(object, &key, name, tags, MCP_READ_GAVE_A_VALUE);
	}
	return kept;
}

/* Checks the age of a value without tags, and the change counters. */
static zend_always_inline bool is_valid(const mcp_cache_object *object, const mcp_memo_value *kept,
	const mcp_near_moment *now) {
	const mcp_near_host *host = &object->memo->host;
	uint64_t soft_ms = kept->of.facts.soft_ms;
	return mcp_near_read_is_valid(host->changes, host->age_max_ms, &kept->of.near_read,
			   mcp_near_monotonic_ms(object->context.environment, now)) &&
		(soft_ms == MCP_NEVER_MS ||
			mcp_near_early_wall_ms(object->context.environment, now) < soft_ms);
}

static zend_always_inline mcp_memo_value *recall(mcp_cache_object *object, zend_string *name,
	const mcp_near_moment *now) {
	mcp_memo_value *kept = php_mcp_cache_memo_find(object->memo, name);
	if (kept == NULL || EXPECTED(is_valid(object, kept, now))) {
		return kept;
	}
	return recall_tagged(object, name, now, kept);
}

mcp_cache_entry php_mcp_cache_nearby_entry(const mcp_near_facts *facts) {
	return (mcp_cache_entry){
		.verdict = MCP_VERDICT_FRESH,
		.freshness = MCP_FRESH,
		.has_value = true,
		.envelope =
			{
				.has_value = true,
				.created_ms = facts->created_ms,
				.soft_ms = facts->soft_ms,
				.hard_ms = facts->soft_ms, /* the near cache does not serve it after its TTL */
				.epoch = facts->epoch,
				.compute_ms = facts->compute_ms,
				.value_election = facts->election,
			},
	};
}

void php_mcp_cache_nearby_note(const mcp_cache_object *object, zend_string *name, zval *value,
	const mcp_memo_origin *origin) {
	/* The decoding might have run user code. Do not keep the value if this code has changed the key. */
	if (origin->near_read.may_be_kept) {
		php_mcp_cache_memo_keep(object->memo, name, value, origin);
	}
}

bool php_mcp_cache_nearby_decode(mcp_cache_call *call, zend_string *name,
	const mcp_near_read *near_read, const mcp_cache_entry *entry, zval *value) {
	mcp_memo_origin origin = {.near_read = *near_read};
	if (near_read->may_be_kept) { /* before the decoding invalidates the entry's views */
		origin.facts = mcp_near_facts_of(&entry->envelope);
		origin.tags = php_mcp_cache_object_copy_tag_versions(entry->envelope.tags);
	}
	bool is_decoded = php_mcp_cache_value_decode_or_throw(call, entry, value);
	if (is_decoded) {
		php_mcp_cache_nearby_note(call->object, name, value, &origin);
	}
	if (origin.tags != NULL) {
		zend_string_release(origin.tags);
	}
	return is_decoded;
}

/* Record a near hit of a guarded Cache. Not inlined, so that hits of other Caches do not pay for the entry. */
static zend_never_inline void note_guarded(mcp_cache_object *object, zend_string *name,
	const mcp_near_facts *facts) {
	mcp_cache_entry entry = php_mcp_cache_nearby_entry(facts);
	php_mcp_kept_reads_note_near_stamp(object, name, &entry);
}

/* Decodes a prefetched payload. This can run user code, which can drop the kept values. False if the value is
 * unreadable: the read from memcached that follows counts and reports it. True if the script exits. */
static bool decode_kept(mcp_cache_object *object, zend_string *name, const mcp_memo_value *kept,
	zval *value) {
	zend_string *payload = zend_string_copy(Z_STR(kept->value));
	bool is_decoded = php_mcp_value_decode(value, php_mcp_bytes_of(payload), kept->flags,
		php_mcp_pool_format(object->pool));
	php_mcp_cache_memo_conclude(object->memo, name, payload, is_decoded ? value : NULL);
	if (!is_decoded && !php_mcp_cache_value_contain_exception() && EG(exception) != NULL) {
		ZVAL_NULL(value);
		is_decoded = true;
	}
	zend_string_release(payload);
	return is_decoded;
}

static zend_never_inline bool take_encoded(mcp_cache_object *object, zend_string *name,
	const mcp_memo_value *kept, zval *value) {
	mcp_near_facts facts = kept->of.facts;
	if (!decode_kept(object, name, kept, value)) {
		return false;
	}
	mcp_cache_count_near(&object->context, facts.compute_ms);
	if (php_mcp_kept_reads_need_stamps(object)) {
		note_guarded(object, name, &facts);
	}
	return true;
}

static zend_always_inline bool take_kept(mcp_cache_object *object, zend_string *name,
	const mcp_near_moment *now, zval *value) {
	const mcp_memo_value *kept = recall(object, name, now);
	if (kept == NULL) {
		return false;
	}
	if (UNEXPECTED(kept->is_encoded)) {
		return take_encoded(object, name, kept, value);
	}
	mcp_cache_count_near(&object->context, kept->of.facts.compute_ms);
	ZVAL_COPY(value, (zval *)&kept->value);
	if (UNEXPECTED(php_mcp_kept_reads_need_stamps(object))) {
		note_guarded(object, name, &kept->of.facts);
	}
	return true;
}

bool php_mcp_cache_nearby_take(mcp_cache_object *object, zend_string *name, zval *value) {
	return take_kept(object, name, NULL, value);
}

bool php_mcp_cache_nearby_take_with(mcp_cache_object *object, zend_string *name,
	const mcp_near_draw *draw, mcp_cache_entry *entry, zval *value) {
	const mcp_memo_value *kept = recall(object, name, NULL);
	if (kept == NULL) {
		return false;
	}
	*entry = php_mcp_cache_nearby_entry(&kept->of.facts);
	if (draw != NULL && mcp_cache_near_is_drawn(&object->context, draw, entry)) {
		return false;
	}
	if (UNEXPECTED(kept->is_encoded)) {
		if (!decode_kept(object, name, kept, value)) {
			return false;
		}
	} else {
		ZVAL_COPY(value, (zval *)&kept->value);
	}
	mcp_cache_count_near(&object->context, entry->envelope.compute_ms);
	return true;
}

bool php_mcp_cache_nearby_is_kept(mcp_cache_object *object, zend_string *name) {
	const mcp_memo_value *kept = php_mcp_cache_memo_find(object->memo, name);
	return kept != NULL && is_valid(object, kept, NULL);
}

static zend_always_inline bool copy_string(const mcp_near_found *found, zval *value) {
	zend_string *string = zend_string_alloc(mcp_near_found_length(found), false);
	if (UNEXPECTED(!mcp_cache_near_copy(found, ZSTR_VAL(string)))) {
		zend_string_efree(string);
		return false;
	}
	ZSTR_VAL(string)[ZSTR_LEN(string)] = '\0';
	ZVAL_NEW_STR(value, string);
	return true;
}

static zend_always_inline bool take_string(mcp_cache_call *call, mcp_near *near, zend_string *name,
	const mcp_near_moment *now, mcp_near_facts *facts, zval *value) {
	const mcp_cache_object *object = call->object;
	mcp_near_found found;
	if (!object->memo->takes_strings) {
		return false;
	}
	bool is_there = mcp_cache_near_open(near->host, &call->key, now, &near->near_read, &found);
	if (is_there &&
		(mcp_envelope_value_flags(found.item.flags) & MCP_VALUE_MASK) != MCP_VALUE_STRING) {
		return false;
	}
	if (!is_there || !copy_string(&found, value)) {
		near->has_looked = !mcp_near_read_is_tagged(&found.near_read);
		return false;
	}
	*facts = found.item.facts;
	mcp_cache_near_count(&object->context, &call->key, facts->compute_ms, found.judged_ms);
	if (php_mcp_cache_memo_notice(object->memo, name)) {
		mcp_memo_origin origin = {found.near_read, *facts, NULL};
		php_mcp_cache_memo_keep(object->memo, name, value, &origin);
	}
	return true;
}

bool php_mcp_cache_nearby_take_string(mcp_cache_call *call, mcp_near *near, zend_string *name,
	mcp_near_facts *facts, zval *value) {
	return take_string(call, near, name, NULL, facts, value);
}

/* Take a plain string from the near cache, and count it like a read of one key. */
static bool take_shared(mcp_cache_object *object, mcp_near *near, zend_string *name,
	const mcp_near_moment *now, zval *value) {
	if (near->host == NULL) {
		begin_near_read(near, object);
	}
	if (near->host->shm_cache == NULL || !object->memo->takes_strings) {
		return false;
	}
	mcp_cache_call call;
	mcp_near_facts facts;
	php_mcp_cache_object_name(&call, object, name);
	return take_string(&call, near, name, now, &facts, value);
}

zend_array *php_mcp_cache_nearby_take_many(mcp_cache_object *object, HashTable *places) {
	const mcp_near_moment now = mcp_near_moment_now(object->context.environment);
	mcp_near near = {0};
	zend_array *missing = NULL;
	zend_string *name;
	zval *place;
	ZEND_HASH_FOREACH_STR_KEY_VAL(places, name, place) {
		if (EXPECTED(take_kept(object, name, &now, place)) ||
			take_shared(object, &near, name, &now, place)) {
			continue;
		}
		if (missing == NULL) {
			missing = zend_new_array(zend_hash_num_elements(places));
		}
		zend_hash_add_new(missing, name, &EG(uninitialized_zval));
	}
	ZEND_HASH_FOREACH_END();
	return missing;
}

static zend_never_inline bool ask_server(mcp_cache_call *call, mcp_near *near, zend_string *name,
	mcp_cache_reader read, mcp_cache_entry *entry, zval *value) {
	php_mcp_cache_object_prepare(call);
	call->cache.near = near;
	return php_mcp_cache_value_read(call, name, read, entry) &&
		entry->verdict != MCP_VERDICT_ELECTED &&
		(php_mcp_cache_nearby_decode(call, name, &near->near_read, entry, value) ||
			php_mcp_cache_value_contain_exception());
}

bool php_mcp_cache_nearby_ask(mcp_cache_object *object, zend_string *name, mcp_cache_reader read,
	mcp_cache_entry *entry, zval *value) {
	mcp_cache_call call;
	mcp_near near;
	mcp_near_facts facts;
	php_mcp_cache_object_name(&call, object, name);
	begin_near_read(&near, object);
	if (take_string(&call, &near, name, NULL, &facts, value)) {
		if (entry != NULL) {
			*entry = php_mcp_cache_nearby_entry(&facts);
		}
		return true;
	}
	mcp_cache_entry own;
	return ask_server(&call, &near, name, read, entry != NULL ? entry : &own, value);
}

bool php_mcp_cache_nearby_has(mcp_cache_object *object, zend_string *name) {
	zval value;
	bool is_there = object->memo != NULL && php_mcp_cache_nearby_take(object, name, &value);
	if (!is_there && (object->memo == NULL || object->tags != NULL)) {
		/* With tags, this result can differ from the result of get(), so the read is recorded as
		 * MCP_READ_GAVE_UNKNOWN. */
		mcp_cache_call call;
		mcp_near near;
		php_mcp_cache_object_renew(&call, object, name);
		php_mcp_cache_nearby_join(&near, &call);
		return php_mcp_cache_value_exists(&call, name);
	}
	if (!is_there && !php_mcp_cache_nearby_ask(object, name, mcp_cache_peek, NULL, &value)) {
		return false;
	}
	zval_ptr_dtor(&value);
	return true;
}

bool php_mcp_cache_nearby_tell(mcp_cache_object *object, zend_string *name, zval *story) {
	mcp_cache_entry entry;
	zval value;
	bool is_near = php_mcp_cache_nearby_take_with(object, name, NULL, &entry, &value);
	if (is_near && php_mcp_kept_reads_need_stamps(object)) {
		php_mcp_kept_reads_note_near_stamp(object, name, &entry);
	}
	bool is_readable =
		is_near || php_mcp_cache_nearby_ask(object, name, mcp_cache_read, &entry, &value);
	if (EG(exception) != NULL) {
		return false;
	}
	php_mcp_class_entry_create(story, &entry, is_readable ? &value : NULL,
		mcp_wall_ms(php_mcp_environment_get()));
	return true;
}
