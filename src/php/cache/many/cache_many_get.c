/* getMultiple: the table that the names are collected in becomes the result, and a string goes from the store's buffer
 * straight to its place there. */
/* SPDX-License-Identifier: MIT */
#include "../../value/value.h"
#include "../claims/cache_claims.h"
#include "../claims/claim_results.h"
#include "../guarded/cache_guarding.h"
#include "../near/cache_nearby.h"
#include "cache_collect.h"
#include "cache_many_near.h"

static void hold(mcp_cache_many *many, size_t i) {
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, many->object, many->names[i]);
	php_mcp_cache_claims_hold(&call, many->names[i], &many->entries[i]);
}

/* Elects in one round trip for each key past its soft end that no caller has claimed. */
static void elect(mcp_cache_many *many, const mcp_cache_batch *batch, size_t i) {
	mcp_cache_entry *entry = &many->entries[i];
	if (entry->verdict == MCP_VERDICT_STALE && mcp_opening_is_open(entry->opening)) {
		mcp_cache_elect_among(&many->cache, batch, i);
	}
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		hold(many, i);
	}
}

static bool is_plain_string(const mcp_cache_entry *entry) {
	return entry->has_value && entry->flags == MCP_VALUE_STRING &&
		entry->verdict != MCP_VERDICT_ELECTED;
}

/* Holds every election, and takes every payload while its view lives: elections end none. True if there were
 * only strings, and nothing is left to be done. */
static bool take_views(mcp_cache_many *many, const mcp_cache_batch *batch, zend_array *result) {
	bool is_all = true;
	size_t i = 0;
	zval *place;
	ZEND_HASH_FOREACH_VAL(result, place) {
		const mcp_cache_entry *entry = &many->entries[i];
		if (UNEXPECTED(entry->verdict != MCP_VERDICT_FRESH)) {
			elect(many, batch, i);
		}
		is_all &= entry->trouble == MCP_OK;
		if (EXPECTED(is_plain_string(entry))) {
			php_mcp_value_copy(place, entry->payload);
		} else {
			php_mcp_cache_many_copy_payload(many, i);
			is_all = false;
		}
		i++;
	}
	ZEND_HASH_FOREACH_END();
	mcp_cache_count_many(&many->cache, batch);
	return is_all;
}

/* Decodes the rest, which is user code. */
static void decode_rest(mcp_cache_many *many, zval *fallback, zend_array *result) {
	size_t i = 0;
	zval *place;
	ZEND_HASH_FOREACH_VAL(result, place) {
		bool is_elected = many->entries[i].verdict == MCP_VERDICT_ELECTED;
		if (!is_plain_string(&many->entries[i])) {
			zval value;
			if (!is_elected &&
				(php_mcp_cache_many_take(many, i, &value) || php_mcp_cache_trouble_contain())) {
				ZVAL_COPY_VALUE(place, &value);
			} else if (fallback != NULL) {
				ZVAL_COPY(place, fallback);
			}
			if (EG(exception) != NULL) {
				return;
			}
		}
		i++;
	}
	ZEND_HASH_FOREACH_END();
}

/* Takes back what the caller was elected for: it gets an exception, and does not hear of that. */
static void take_back(mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		if (many->entries[i].verdict == MCP_VERDICT_ELECTED) {
			php_mcp_claim_results_take_back(many->object, many->names[i], &many->entries[i].claim);
		}
	}
}

/* Fills in; values that are near stand behind those that were asked for, whatever the caller's order: each
 * finds its place by its name. */
static void fill(mcp_cache_many *many, zval *fallback, zend_array *result) {
	for (size_t i = 0; i < many->count && EG(exception) == NULL; i++) {
		bool is_elected = many->entries[i].verdict == MCP_VERDICT_ELECTED;
		zval value;
		if (is_elected ||
			!(php_mcp_cache_many_near_take(many, i, &value) || php_mcp_cache_trouble_contain())) {
			ZVAL_NULL(&value);
			if (fallback != NULL) {
				ZVAL_COPY(&value, fallback);
			}
		}
		zend_symtable_update(result, many->names[i], &value);
	}
}

/* Notes the looks when no view is needed any more, those at near values among them. */
static void note_looks(mcp_cache_many *many) {
	php_mcp_cache_many_note_looks(many);
	if (UNEXPECTED(php_mcp_cache_guarding_is_on(many->object))) {
		mcp_cache_batch batch = php_mcp_cache_many_batch(many);
		batch.count = many->count;
		php_mcp_cache_guarding_note_many(many->object, &many->cache, &batch);
	}
}

static void ask_the_rest(mcp_cache_many *many) {
	mcp_cache_batch batch = php_mcp_cache_many_batch(many);
	if (many->asked > 0) {
		mcp_cache_peek_many(&many->cache, &batch);
	}
	php_mcp_cache_many_near_keep(many);
	for (size_t i = 0; i < many->asked; i++) {
		elect(many, &batch, i);
	}
	mcp_cache_count_many(&many->cache, &batch);
	php_mcp_cache_many_copy_payloads(many);
	note_looks(many);
}

static zend_never_inline void get_nearby(mcp_cache_object *object, HashTable *names, zval *fallback,
	zend_array *result) {
	mcp_cache_many many = {.object = object, .cache = php_mcp_cache_object_context(object)};
	php_mcp_cache_many_begin(&many, names);
	php_mcp_cache_many_near_find(&many, NULL);
	ask_the_rest(&many);
	if (!php_mcp_cache_many_complain(&many)) {
		fill(&many, fallback, result);
	}
	if (EG(exception) != NULL) {
		take_back(&many);
	}
	php_mcp_cache_many_near_end(&many);
}

/* Looks in the memo, and for strings in the host's memory, before anything is made ready to ask for: mostly all is there. */
static zend_never_inline void get_memo_first(mcp_cache_object *object, HashTable *names,
	zval *fallback, zend_array *result) {
	if (names != result) {
		get_nearby(object, names, fallback, result);
		return;
	}
	zend_array *missing = php_mcp_cache_nearby_take_many(object, names);
	if (missing != NULL) {
		get_nearby(object, missing, fallback, result);
		zend_array_release(missing);
	}
}

static void get(mcp_cache_object *object, HashTable *names, zval *fallback, zend_array *result) {
	mcp_cache_many many = {.object = object, .cache = php_mcp_cache_object_context(object)};
	php_mcp_cache_many_begin(&many, names);
	mcp_cache_batch batch = php_mcp_cache_many_batch(&many);
	mcp_cache_peek_many(&many.cache, &batch);
	bool is_all = take_views(&many, &batch, result);
	note_looks(&many);
	if (EXPECTED(is_all)) {
		php_mcp_cache_many_end_uncopied(&many);
		return;
	}
	if (!php_mcp_cache_many_complain(&many)) {
		decode_rest(&many, fallback, result);
	}
	if (UNEXPECTED(EG(exception) != NULL)) {
		take_back(&many);
	}
	php_mcp_cache_many_end(&many);
}

/* Finds numbers, as PHP's arrays have no such string as a key: they make a number of it. */
static bool has_numbers(HashTable *names) {
	zend_string *name;
	zend_ulong number;
	ZEND_HASH_MAP_FOREACH_STR_KEY(names, name) {
		if (_zend_handle_numeric_str(ZSTR_VAL(name), ZSTR_LEN(name), &number)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static zend_array *with_numbers(HashTable *names) {
	zend_array *result = zend_new_array(zend_hash_num_elements(names));
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		zend_symtable_update(result, name, &EG(uninitialized_zval));
	}
	ZEND_HASH_FOREACH_END();
	return result;
}

void php_mcp_cache_many_get(zend_object *std, zval *keys, zval *fallback, zval *result) {
	mcp_cache_object *object = php_mcp_cache_object_get(std);
	if (object == NULL) {
		return;
	}
	HashTable *names = emalloc(sizeof(*names));
	bool are_collected = php_mcp_cache_collect_names(names, keys, 1);
	zend_array *places = !are_collected || !has_numbers(names) ? names : with_numbers(names);
	ZVAL_ARR(result, places);
	if (are_collected && zend_hash_num_elements(names) > 0) {
		(object->memo == NULL ? get : get_memo_first)(object, names, fallback, places);
	}
	if (places != names) {
		zend_array_release(names);
	}
}
