/* The methods of McPatterns\Cache on many keys. getMultiple reads everything first, elects, and only
 * then decodes: decoding is user code, and would end the views of the keys not yet looked at. */
/* SPDX-License-Identifier: MIT */
#include "cache_methods.h"
#include "cache_many.h"

#include "../value.h"

/* One round trip for each key past its soft end that nobody has claimed. */
static void elect(mcp_cache_many *many, const mcp_cache_batch *batch) {
	for (size_t i = 0; i < many->count; i++) {
		mcp_cache_entry *entry = &many->entries[i];
		if (entry->verdict == MCP_VERDICT_STALE && mcp_opening_is_open(entry->opening)) {
			mcp_cache_elect_among(&many->cache, batch, i);
		}
		if (entry->verdict == MCP_VERDICT_ELECTED) {
			mcp_cache_claims_hold(many->object, many->names[i], &entry->claim);
		}
		mcp_cache_count(&many->cache, entry);
	}
}

static void fill(mcp_cache_many *many, zval *fallback, zval *result) {
	for (size_t i = 0; i < many->count && EG(exception) == NULL; i++) {
		zval value;
		bool is_elected = many->entries[i].verdict == MCP_VERDICT_ELECTED;
		if (is_elected || !mcp_cache_many_take(many, i, &value)) {
			if (fallback == NULL) {
				ZVAL_NULL(&value);
			} else {
				ZVAL_COPY(&value, fallback);
			}
		}
		zend_symtable_update(Z_ARRVAL_P(result), many->names[i], &value);
	}
}

ZEND_METHOD(McPatterns_Cache, getMultiple) {
	HashTable *keys;
	zval *fallback = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ARRAY_HT(keys)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(fallback)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_many many = {.object = mcp_cache_object_get(Z_OBJ_P(ZEND_THIS))};
	if (many.object == NULL) {
		RETURN_THROWS();
	}
	HashTable names;
	zend_hash_init(&names, zend_hash_num_elements(keys), NULL, NULL, false);
	if (!mcp_cache_many_collect(&names, keys, 1)) {
		zend_hash_destroy(&names);
		RETURN_THROWS();
	}
	array_init_size(return_value, zend_hash_num_elements(&names));
	if (zend_hash_num_elements(&names) > 0) {
		many.cache = mcp_cache_object_context(many.object);
		mcp_cache_many_begin(&many, &names);
		mcp_cache_batch batch = mcp_cache_many_batch(&many);
		mcp_cache_read_many(&many.cache, &batch);
		elect(&many, &batch);
		mcp_cache_many_copy_payloads(&many);
		if (!mcp_cache_many_complain(&many)) {
			fill(&many, fallback, return_value);
		}
		mcp_cache_many_end(&many);
	}
	zend_hash_destroy(&names);
}

/* One value of a setMultiple, encoded: all are, before the first is stored. */
typedef struct pending_value {
	zend_string *name;
	mcp_encoded_value value;
} pending_value;

/* How many were encoded: fewer than all when one threw, or a key was empty. */
static uint32_t encode_all(HashTable *values, pending_value *pending) {
	uint32_t count = 0;
	zend_ulong index;
	zend_string *name;
	zval *value;
	ZEND_HASH_FOREACH_KEY_VAL(values, index, name, value) {
		if (name != NULL && ZSTR_LEN(name) == 0) {
			zend_argument_value_error(1, "cannot contain an empty key");
			break;
		}
		ZVAL_DEREF(value);
		if (!mcp_value_encode(&pending[count].value, value, 1)) {
			break;
		}
		pending[count++].name =
			name != NULL ? zend_string_copy(name) : zend_long_to_str((zend_long)index);
	}
	ZEND_HASH_FOREACH_END();
	return count;
}

/* Each with a lifetime of its own: jitter is there so that they do not expire together. */
static bool store_one(mcp_cache_object *object, const pending_value *pending,
	mcp_duration_argument ttl, mcp_duration_argument grace) {
	mcp_cache_call call;
	mcp_cache_object_renew(&call, object, pending->name);
	mcp_cache_value value = {.payload = pending->value.payload, .flags = pending->value.flags};
	mcp_cache_lifetime_parse(object, ttl, grace, &value.lifetime);
	mcp_status status = mcp_cache_set(&call.cache, &call.key, &value);
	if (status == MCP_OK) {
		mcp_cache_claims_fulfil(object, pending->name);
	}
	mcp_cache_value_complain(&call, status, pending->name);
	return status == MCP_OK;
}

ZEND_METHOD(McPatterns_Cache, setMultiple) {
	HashTable *values;
	zval *ttl = NULL;
	zval *grace = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_ARRAY_HT(values)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER_OR_NULL(ttl)
		Z_PARAM_NUMBER_OR_NULL(grace)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_lifetime lifetime;
	if (!mcp_cache_lifetime_parse(object, (mcp_duration_argument){ttl, 2},
			(mcp_duration_argument){grace, 3}, &lifetime)) {
		RETURN_THROWS();
	}
	uint32_t count = zend_hash_num_elements(values);
	pending_value *pending = safe_emalloc(count, sizeof(*pending), 0);
	uint32_t encoded = encode_all(values, pending);
	bool are_all_stored = encoded == count;
	for (uint32_t i = 0; i < encoded; i++) {
		if (EG(exception) == NULL) {
			are_all_stored &= store_one(object, &pending[i], (mcp_duration_argument){ttl, 2},
				(mcp_duration_argument){grace, 3});
		}
		mcp_value_release(&pending[i].value);
		zend_string_release(pending[i].name);
	}
	efree(pending);
	RETURN_BOOL(are_all_stored);
}

ZEND_METHOD(McPatterns_Cache, deleteMultiple) {
	HashTable *keys;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_object *object = mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	HashTable names;
	zend_hash_init(&names, zend_hash_num_elements(keys), NULL, NULL, false);
	bool are_valid = mcp_cache_many_collect(&names, keys, 1);
	bool are_all_gone = true;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&names, name) {
		if (!are_valid) {
			break;
		}
		mcp_cache_call call;
		mcp_cache_object_renew(&call, object, name);
		bool is_gone = mcp_cache_delete(&call.cache, &call.key) == MCP_OK;
		if (is_gone) {
			mcp_cache_claims_drop(object, name);
		}
		are_all_gone = are_all_gone && is_gone;
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&names);
	if (!are_valid) {
		RETURN_THROWS();
	}
	RETURN_BOOL(are_all_gone);
}
