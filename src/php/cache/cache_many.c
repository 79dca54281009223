/* Many keys of one Cache at once: what reading many takes, and the writing ones. Everything is read and every
 * election held before the first value is decoded: decoding is user code, and would end the views of the keys not
 * yet looked at. */
/* SPDX-License-Identifier: MIT */
#include "cache_many.h"

#include "../deferred.h"
#include "../failure.h"
#include "cache_claims.h"
#include "cache_collect.h"
#include "cache_looks.h"
#include "cache_trouble.h"
#include "cache_value.h"

/* Cuts the next array off the memory of all. */
static void *cut(char **memory, size_t count, size_t size) {
	void *array = *memory;
	*memory += count * size;
	return array;
}

/* Of one piece, what needs no alignment last. */
static void make_room(mcp_cache_many *many, size_t count) {
	size_t per_key = sizeof(*many->names) + sizeof(*many->copies) + sizeof(*many->entries) +
		sizeof(*many->keys) + 2 * sizeof(*many->replies) + 2 * sizeof(*many->scratch_keys) +
		sizeof(*many->buffers) + sizeof(*many->side_buffers);
	many->count = count;
	many->asked = count;
	many->near = NULL;
	many->memory = safe_emalloc(count, per_key, 0);
	char *rest = many->memory;
	many->names = cut(&rest, count, sizeof(*many->names));
	many->copies = cut(&rest, count, sizeof(*many->copies));
	many->entries = cut(&rest, count, sizeof(*many->entries));
	many->keys = cut(&rest, count, sizeof(*many->keys));
	many->replies = cut(&rest, count, 2 * sizeof(*many->replies));
	many->scratch_keys = cut(&rest, count, 2 * sizeof(*many->scratch_keys));
	many->buffers = cut(&rest, count, sizeof(*many->buffers));
	many->side_buffers = cut(&rest, count, sizeof(*many->side_buffers));
}

void mcp_cache_many_begin(mcp_cache_many *many, HashTable *names) {
	make_room(many, zend_hash_num_elements(names));
	mcp_key_parts parts = mcp_cache_object_parts(many->object->pool, many->object->scope);
	size_t i = 0;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		parts.name = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
		many->names[i] = name;
		many->copies[i] = NULL;
		many->keys[i] = mcp_key_make(&many->buffers[i], &parts);
		i++;
	}
	ZEND_HASH_FOREACH_END();
}

void mcp_cache_many_end(mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		if (many->copies[i] != NULL) {
			zend_string_release(many->copies[i]);
		}
	}
	efree(many->memory);
}

mcp_cache_batch mcp_cache_many_batch(mcp_cache_many *many) {
	return (mcp_cache_batch){
		.keys = many->keys,
		.count = many->asked,
		.entries = many->entries,
		.replies = many->replies,
		.scratch_keys = many->scratch_keys,
		.side_buffers = many->side_buffers,
	};
}

void mcp_cache_many_copy_payload(mcp_cache_many *many, size_t i) {
	const mcp_cache_entry *entry = &many->entries[i];
	if (entry->has_value) {
		many->copies[i] = zend_string_init(entry->payload.data, entry->payload.length, false);
	}
}

void mcp_cache_many_copy_payloads(mcp_cache_many *many) {
	for (size_t i = 0; i < many->asked; i++) {
		mcp_cache_many_copy_payload(many, i);
	}
}

bool mcp_cache_many_complain(const mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		if (many->entries[i].trouble == MCP_NO_CAS) {
			const zend_string *name = many->names[i];
			mcp_failure_throw_for_key(MCP_NO_CAS, "change",
				mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)), many->cache.store, &many->keys[i]);
			return true;
		}
	}
	return false;
}

/* Strings become the values themselves; everything else is decoded from its copy. */
bool mcp_cache_many_take(mcp_cache_many *many, size_t i, zval *value) {
	zend_string *copy = many->copies[i];
	const mcp_cache_entry *entry = &many->entries[i];
	if (copy == NULL) {
		if (entry->is_unreadable) {
			mcp_cache_trouble_unreadable(many->object, &many->keys[i]);
		}
		return false;
	}
	if (entry->flags == MCP_VALUE_STRING) {
		ZVAL_STR(value, copy);
		many->copies[i] = NULL;
		return true;
	}
	mcp_bytes payload = mcp_bytes_of(ZSTR_VAL(copy), ZSTR_LEN(copy));
	return mcp_cache_value_take(many->object, &many->keys[i], payload, entry->flags, value);
}

/* --- setMultiple, deleteMultiple and expireMultiple --- */

/* One value of a setMultiple, encoded: all are, before the first is stored. */
typedef struct pending_value {
	zend_string *name; /* borrowed */
	mcp_encoded_value value;
} pending_value;

/* How many were encoded: none is after an exit. */
static uint32_t encode_all(const mcp_cache_object *object, HashTable *values,
	pending_value *pending, mcp_deferred *deferred) {
	uint32_t count = 0;
	zend_string *name;
	zval *value;
	ZEND_HASH_FOREACH_STR_KEY_VAL(values, name, value) {
		pending[count].name = name;
		if (mcp_cache_value_encode(&pending[count].value, object, name, value)) {
			count++;
		} else if (!mcp_deferred_keep(deferred)) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	return count;
}

/* The numbers as of this call: once for all keys of a server, as every key of a server has the same. */
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

/* NULL: they are not to be had. */
static const mcp_captured_tags *find_tags(mcp_cache_call *call, zend_string *name,
	known_tags *known) {
	if (call->cache.tags == NULL) {
		known->of_look.length = 0;
		return &known->of_look;
	}
	return mcp_cache_looks_take_kept(call->object, name, &known->of_look) ? &known->of_look
																		  : read_tags(call, known);
}

/* Each with a lifetime of its own: jitter is there so that they do not expire together. */
static bool store_one(mcp_cache_object *object, const pending_value *pending, mcp_lifetime lifetime,
	known_tags *known) {
	mcp_cache_call call;
	mcp_cache_object_renew(&call, object, pending->name);
	const mcp_captured_tags *captured = find_tags(&call, pending->name, known);
	if (captured == NULL) {
		object->statistics->errors++;
		return false;
	}
	mcp_cache_value value = {
		.payload = pending->value.payload,
		.flags = pending->value.flags,
		.lifetime = mcp_cache_lifetime_spread(lifetime, object->options.jitter),
		.tags = mcp_captured_tags_view(captured),
	};
	mcp_status status = mcp_cache_set(&call.cache, &call.key, &value);
	if (status == MCP_OK) {
		mcp_cache_claims_fulfil(object, pending->name);
	}
	mcp_cache_value_complain(&call, status, pending->name);
	return status == MCP_OK;
}

/* C18: what cannot be stored keeps no other value from being stored. */
static bool store_all(mcp_cache_object *object, HashTable *values, mcp_lifetime lifetime) {
	mcp_deferred deferred = {0};
	uint32_t count = zend_hash_num_elements(values);
	pending_value *pending = safe_emalloc(count, sizeof(*pending), 0);
	uint32_t encoded = encode_all(object, values, pending, &deferred);
	bool are_all_stored = encoded == count;
	known_tags known;
	known.count = 0;
	known.servers = NULL;
	for (uint32_t i = 0; i < encoded; i++) {
		if (EG(exception) == NULL) {
			are_all_stored &= store_one(object, &pending[i], lifetime, &known);
			mcp_deferred_keep(&deferred);
		}
		mcp_value_release(&pending[i].value);
	}
	if (known.servers != NULL) {
		efree(known.servers);
	}
	efree(pending);
	mcp_deferred_throw(&deferred);
	return are_all_stored;
}

bool mcp_cache_many_set(zend_object *std, zval *given, mcp_cache_lifetime_arguments arguments) {
	mcp_cache_object *object = mcp_cache_object_get(std);
	mcp_lifetime lifetime;
	if (object == NULL || !mcp_cache_lifetime_judge(object, arguments, &lifetime)) {
		return false;
	}
	HashTable values;
	bool are_all_stored =
		mcp_cache_collect_values(&values, given, 1) && store_all(object, &values, lifetime);
	zend_hash_destroy(&values);
	return are_all_stored;
}

static bool overtake_all(mcp_cache_object *object, HashTable *names,
	mcp_cache_operation operation) {
	mcp_deferred deferred = {0};
	bool are_all_done = true;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		mcp_cache_call call;
		mcp_cache_object_renew(&call, object, name);
		are_all_done &= mcp_cache_update_overtake(&call, name, operation);
		mcp_deferred_keep(&deferred);
	}
	ZEND_HASH_FOREACH_END();
	mcp_deferred_throw(&deferred);
	return are_all_done;
}

bool mcp_cache_many_overtake(zend_object *std, zval *keys, mcp_cache_operation operation) {
	mcp_cache_object *object = mcp_cache_object_get(std);
	if (object == NULL) {
		return false;
	}
	HashTable names;
	bool are_all_done =
		mcp_cache_collect_names(&names, keys, 1) && overtake_all(object, &names, operation);
	zend_hash_destroy(&names);
	return are_all_done;
}
