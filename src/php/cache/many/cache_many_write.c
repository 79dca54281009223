/* setMultiple, deleteMultiple and expireMultiple: encode all values first, then send the writes in batches. */
/* SPDX-License-Identifier: MIT */
#include "../../engine/user_call.h"
#include "../claims/cache_claims.h"
#include "../reads/kept_reads.h"
#include "cache_many.h"
#include "../value/cache_value.h"

/* An encoded value of a setMultiple. */
typedef struct pending_value {
	zend_string *name;
	mcp_encoded_value value;
} pending_value;

/* Returns the number of encoded values. 0 after an exit. */
static uint32_t encode_all(const mcp_cache_object *object, HashTable *values,
	pending_value *pending, mcp_deferred *deferred) {
	uint32_t count = 0;
	zend_string *name;
	zval *value;
	ZEND_HASH_FOREACH_STR_KEY_VAL(values, name, value) {
		pending[count].name = name;
		if (php_mcp_cache_value_encode(&pending[count].value, object, name, value)) {
			count++;
		} else if (!php_mcp_deferred_keep(deferred)) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	return count;
}

/* The tag versions at the time of this call. All keys of a server share them. */
typedef struct known_tags {
	size_t count;
	struct tags_of_server {
		const mcp_store *server;
		mcp_captured_tags captured;
	} * servers;
	mcp_captured_tags of_look;
} known_tags;

static const mcp_captured_tags *read_tags(mcp_cache_call *call, known_tags *known) {
	const mcp_store *server = mcp_store_owner(call->cache.store, &call->key);
	for (size_t i = 0; i < known->count; i++) {
		if (known->servers[i].server == server) {
			return &known->servers[i].captured;
		}
	}
	known->servers = safe_erealloc(known->servers, known->count + 1, sizeof(*known->servers), 0);
	struct tags_of_server *added = &known->servers[known->count];
	added->server = server;
	if (mcp_cache_capture_now(&call->cache, &call->key, &added->captured) != MCP_OK) {
		return NULL;
	}
	known->count++;
	return &added->captured;
}

/* Finds the tag versions of previous reads of the key, otherwise the current versions. NULL if they cannot
 * be read. */
static const mcp_captured_tags *find_tags(mcp_cache_call *call, zend_string *name,
	known_tags *known) {
	if (!php_mcp_kept_reads_have_tags(call, name)) {
		return read_tags(call, known);
	}
	mcp_status status = php_mcp_kept_reads_capture_tags(call, name, &known->of_look, NULL);
	return status == MCP_OK ? &known->of_look : NULL;
}

/* Returns MCP_NOT_STORED if the tag versions cannot be read. */
static mcp_status add_tags(mcp_cache_call *call, zend_string *name, known_tags *known,
	mcp_cache_value *value) {
	const mcp_captured_tags *captured = find_tags(call, name, known);
	if (captured == NULL) {
		php_mcp_cache_object_tally(call->object, MCP_COUNT_ERRORS, 1);
		return MCP_NOT_STORED;
	}
	value->tags = mcp_captured_tags_view(captured);
	return MCP_OK;
}

static mcp_status store_stamped(mcp_cache_object *object, zend_string *name, mcp_cache_value *value,
	known_tags *known) {
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	mcp_status status = add_tags(&call, name, known, value);
	return status == MCP_OK ? php_mcp_kept_reads_store(&call, value, mcp_cache_set) : status;
}

/* The writes of one batch, and the bytes of the keys. */
typedef struct storing {
	known_tags known;
	mcp_cache_setting settings[MCP_CACHE_BATCH_MAX];
	mcp_key_buffer buffers[MCP_CACHE_BATCH_MAX];
} storing;

/* Sets the tags of all values, to send them together. Returns the memory of the tags, to be freed; NULL: none. */
static char *add_all_tags(mcp_cache_object *object, const pending_value *pending, uint32_t count,
	storing *scratch) {
	char *bytes = NULL;
	for (uint32_t i = 0; i < count; i++) {
		mcp_cache_setting *setting = &scratch->settings[i];
		mcp_bytes *tags = &setting->value.tags;
		mcp_cache_call call;
		php_mcp_cache_object_renew(&call, object, pending[i].name);
		setting->status = add_tags(&call, pending[i].name, &scratch->known, &setting->value);
		if (setting->status == MCP_OK) {
			/* All values have the tags of the view. */
			bytes = bytes != NULL ? bytes : safe_emalloc(count, tags->length, 0);
			tags->data = memcpy(bytes + i * tags->length, tags->data, tags->length);
		}
	}
	return bytes;
}

static bool conclude_key_write(mcp_cache_object *object, zend_string *name, mcp_status status,
	mcp_deferred *deferred) {
	if (EXPECTED(status == MCP_OK)) {
		return true;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	php_mcp_cache_value_throw_status(&call, status, name);
	php_mcp_deferred_keep(deferred);
	return false;
}

static void send_all(mcp_cache_object *object, const pending_value *pending, uint32_t count,
	storing *scratch) {
	mcp_cache cache = php_mcp_cache_object_context(object);
	mcp_cache_setting *settings = scratch->settings;
	bool needs_stamps = php_mcp_kept_reads_need_stamps(object);
	if (UNEXPECTED(needs_stamps && cache.tags != NULL)) {
		for (uint32_t i = 0; i < count; i++) {
			settings[i].status =
				store_stamped(object, pending[i].name, &settings[i].value, &scratch->known);
		}
	} else if (UNEXPECTED(needs_stamps)) {
		php_mcp_kept_reads_set_many(object, &cache, settings, count);
	} else {
		char *tags = cache.tags != NULL ? add_all_tags(object, pending, count, scratch) : NULL;
		mcp_cache_set_many(&cache, settings, count);
		if (tags != NULL) {
			efree(tags);
		}
	}
}

static bool store_some(mcp_cache_object *object, const pending_value *pending, uint32_t count,
	mcp_lifetime lifetime, storing *scratch, mcp_deferred *deferred) {
	bool are_all_stored = true;
	for (uint32_t i = 0; i < count; i++) {
		mcp_cache_setting *setting = &scratch->settings[i];
		setting->key = php_mcp_cache_object_key(object, pending[i].name, &scratch->buffers[i]);
		/* Each value gets a separate jitter, so that the values do not expire together. */
		setting->value = php_mcp_cache_value_of(&pending[i].value,
			php_mcp_cache_claims_age_ms(object, pending[i].name),
			php_mcp_cache_object_spread_lifetime(lifetime, object->options.jitter),
			mcp_bytes_none());
		setting->status = MCP_OK;
	}
	send_all(object, pending, count, scratch);
	for (uint32_t i = 0; i < count; i++) {
		mcp_status status = scratch->settings[i].status;
		php_mcp_kept_reads_note_stored(object, &scratch->settings[i].key, status);
		if (status == MCP_OK) {
			php_mcp_cache_value_fulfill_claim(object, pending[i].name);
		}
		are_all_stored &= conclude_key_write(object, pending[i].name, status, deferred);
	}
	return are_all_stored;
}

/* Stores all. A value that cannot be stored does not affect the others (C18). */
static bool store_all(mcp_cache_object *object, HashTable *values, mcp_lifetime lifetime) {
	mcp_deferred deferred = {0};
	uint32_t count = zend_hash_num_elements(values);
	pending_value *pending = safe_emalloc(count, sizeof(*pending), 0);
	uint32_t encoded = encode_all(object, values, pending, &deferred);
	bool are_all_stored = encoded == count;
	storing *scratch = emalloc(sizeof(*scratch));
	scratch->known.count = 0;
	scratch->known.servers = NULL;
	for (uint32_t i = 0; i < encoded && EG(exception) == NULL; i += MCP_CACHE_BATCH_MAX) {
		are_all_stored &= store_some(object, pending + i, MIN(encoded - i, MCP_CACHE_BATCH_MAX),
			lifetime, scratch, &deferred);
	}
	if (scratch->known.servers != NULL) {
		efree(scratch->known.servers);
	}
	efree(scratch);
	for (uint32_t i = 0; i < encoded; i++) {
		php_mcp_value_release(&pending[i].value);
	}
	efree(pending);
	php_mcp_deferred_throw(&deferred);
	return are_all_stored;
}

bool php_mcp_cache_many_set(zend_object *std, zval *given, mcp_cache_lifetime_arguments arguments) {
	mcp_cache_object *object = php_mcp_cache_object_get(std);
	mcp_lifetime lifetime;
	if (object == NULL || !php_mcp_cache_object_judge_lifetime(object, arguments, &lifetime)) {
		return false;
	}
	HashTable values;
	bool are_all_stored =
		php_mcp_cache_many_collect_values(&values, given) && store_all(object, &values, lifetime);
	zend_hash_destroy(&values);
	return are_all_stored;
}

typedef struct changing {
	zend_string *names[MCP_CACHE_BATCH_MAX];
	mcp_key keys[MCP_CACHE_BATCH_MAX];
	mcp_status statuses[MCP_CACHE_BATCH_MAX];
	mcp_key_buffer buffers[MCP_CACHE_BATCH_MAX];
	uint32_t count;
} changing;

static bool change_some(mcp_cache_object *object, changing *together, bool expires,
	mcp_deferred *deferred) {
	bool are_all_changed = true;
	mcp_cache cache = php_mcp_cache_object_context(object);
	(expires ? mcp_cache_expire_many : mcp_cache_delete_many)(&cache, together->keys,
		together->count, together->statuses);
	for (uint32_t i = 0; i < together->count; i++) {
		php_mcp_kept_reads_note_deleted(object, &together->keys[i], together->statuses[i]);
		if (together->statuses[i] == MCP_OK) {
			php_mcp_cache_claims_overtake(object, together->names[i]);
		}
		are_all_changed &=
			conclude_key_write(object, together->names[i], together->statuses[i], deferred);
	}
	together->count = 0;
	return are_all_changed;
}

static bool change_all(mcp_cache_object *object, HashTable *names, bool expires) {
	mcp_deferred deferred = {0};
	bool are_all_changed = true;
	changing *together = emalloc(sizeof(*together));
	together->count = 0;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		uint32_t i = together->count++;
		together->names[i] = name;
		together->keys[i] = php_mcp_cache_object_key(object, name, &together->buffers[i]);
		if (together->count == MCP_CACHE_BATCH_MAX) {
			are_all_changed &= change_some(object, together, expires, &deferred);
		}
	}
	ZEND_HASH_FOREACH_END();
	are_all_changed &= together->count == 0 || change_some(object, together, expires, &deferred);
	efree(together);
	php_mcp_deferred_throw(&deferred);
	return are_all_changed;
}

bool php_mcp_cache_many_change(zend_object *std, zval *keys, bool expires) {
	mcp_cache_object *object = php_mcp_cache_object_get(std);
	if (object == NULL) {
		return false;
	}
	HashTable names;
	bool are_all_changed =
		php_mcp_cache_many_collect_names(&names, keys) && change_all(object, &names, expires);
	zend_hash_destroy(&names);
	return are_all_changed;
}
