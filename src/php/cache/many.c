/* Many keys of one Cache at once: their names as a set, what the pattern needs as scratch, and copies
 * of the payloads, because decoding is user code and ends the store's views. */
/* SPDX-License-Identifier: MIT */
#include "cache_many.h"

#include "../failure.h"
#include "../value.h"

/* The names as a set: each once, the order kept. False with an exception. */
bool mcp_cache_many_collect(HashTable *names, HashTable *keys, uint32_t arg_num) {
	zval *element;
	ZEND_HASH_FOREACH_VAL(keys, element) {
		ZVAL_DEREF(element);
		if (Z_TYPE_P(element) != IS_STRING && Z_TYPE_P(element) != IS_LONG) {
			zend_argument_type_error(arg_num, "must be a list of strings, %s given in it",
				zend_zval_type_name(element));
			return false;
		}
		zend_string *name = zval_get_string(element);
		if (ZSTR_LEN(name) == 0) {
			zend_string_release(name);
			zend_argument_value_error(arg_num, "cannot contain an empty key");
			return false;
		}
		zend_hash_add_empty_element(names, name);
		zend_string_release(name);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

void mcp_cache_many_begin(mcp_cache_many *many, HashTable *names) {
	size_t count = zend_hash_num_elements(names);
	many->count = count;
	many->names = safe_emalloc(count, sizeof(*many->names), 0);
	many->keys = safe_emalloc(count, sizeof(*many->keys), 0);
	many->buffers = safe_emalloc(count, sizeof(*many->buffers), 0);
	many->entries = safe_emalloc(count, sizeof(*many->entries), 0);
	many->copies = ecalloc(count, sizeof(*many->copies));
	many->replies = safe_emalloc(count, 2 * sizeof(*many->replies), 0);
	many->scratch_keys = safe_emalloc(count, 2 * sizeof(*many->scratch_keys), 0);
	many->side_buffers = safe_emalloc(count, sizeof(*many->side_buffers), 0);
	size_t i = 0;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		many->names[i] = zend_string_copy(name);
		many->keys[i] = mcp_cache_object_key(many->object, name, &many->buffers[i]);
		i++;
	}
	ZEND_HASH_FOREACH_END();
}

void mcp_cache_many_end(mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		zend_string_release(many->names[i]);
		if (many->copies[i] != NULL) {
			zend_string_release(many->copies[i]);
		}
	}
	efree(many->names);
	efree(many->keys);
	efree(many->buffers);
	efree(many->entries);
	efree(many->copies);
	efree(many->replies);
	efree(many->scratch_keys);
	efree(many->side_buffers);
}

mcp_cache_batch mcp_cache_many_batch(mcp_cache_many *many) {
	return (mcp_cache_batch){
		.keys = many->keys,
		.count = many->count,
		.entries = many->entries,
		.replies = many->replies,
		.scratch_keys = many->scratch_keys,
		.side_buffers = many->side_buffers,
	};
}

void mcp_cache_many_copy_payloads(mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		mcp_cache_entry *entry = &many->entries[i];
		if (entry->has_value) {
			many->copies[i] = zend_string_init(entry->payload.data, entry->payload.length, false);
		}
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
		return false;
	}
	if (entry->flags == MCP_VALUE_STRING) {
		ZVAL_STR(value, copy);
		many->copies[i] = NULL;
		return true;
	}
	mcp_bytes payload = mcp_bytes_of(ZSTR_VAL(copy), ZSTR_LEN(copy));
	if (mcp_value_decode(value, payload, entry->flags)) {
		return true;
	}
	many->object->statistics.unreadable++;
	return false;
}
