/* Keeps the numbers of a view's last looks by the key's name, the oldest first, until a set() takes them or newer
 * looks push them out. */
/* SPDX-License-Identifier: MIT */
#include "cache_looks.h"

#define LOOKS_MAX 64

zend_string *mcp_cache_looks_copy(const mcp_captured_tags *captured) {
	return captured->length > 0 ? zend_string_init(captured->bytes, captured->length, false) : NULL;
}

static void forget_oldest(HashTable *looks) {
	HashPosition position;
	zend_string *name;
	zend_ulong number;
	zend_hash_internal_pointer_reset_ex(looks, &position);
	if (zend_hash_get_current_key_ex(looks, &name, &number, &position) == HASH_KEY_IS_STRING) {
		zend_hash_del(looks, name);
	}
}

/* The newest stands last, also where the key has been looked at before. */
static void keep(mcp_cache_object *object, zend_string *name, const mcp_captured_tags *captured) {
	if (object->looks == NULL) {
		ALLOC_HASHTABLE(object->looks);
		zend_hash_init(object->looks, 8, NULL, ZVAL_PTR_DTOR, false);
	}
	zend_hash_del(object->looks, name);
	if (zend_hash_num_elements(object->looks) == LOOKS_MAX) {
		forget_oldest(object->looks);
	}
	zval numbers;
	ZVAL_STR(&numbers, mcp_cache_looks_copy(captured));
	zend_hash_add_new(object->looks, name, &numbers);
}

void mcp_cache_looks_note(mcp_cache_call *call, zend_string *name, mcp_cache_entry *entry) {
	mcp_captured_tags captured;
	if (call->cache.tags == NULL || entry->trouble != MCP_OK) {
		return;
	}
	mcp_status status = MCP_OK;
	mcp_cache_capture_look(&call->cache, &call->key, entry, &captured);
	if (!entry->has_value) {
		status = mcp_cache_complete_capture(&call->cache, &call->key, &captured);
	}
	if (status == MCP_OK) {
		keep(call->object, name, &captured);
	}
}

bool mcp_cache_looks_take_kept(mcp_cache_object *object, zend_string *name,
	mcp_captured_tags *captured) {
	const zval *numbers = object->looks != NULL ? zend_hash_find(object->looks, name) : NULL;
	if (numbers == NULL) {
		return false;
	}
	captured->length = Z_STRLEN_P(numbers);
	memcpy(captured->bytes, Z_STRVAL_P(numbers), captured->length);
	zend_hash_del(object->looks, name);
	return true;
}

mcp_status mcp_cache_looks_take(mcp_cache_call *call, zend_string *name,
	mcp_captured_tags *captured) {
	if (call->cache.tags != NULL && mcp_cache_looks_take_kept(call->object, name, captured)) {
		return MCP_OK;
	}
	return mcp_cache_capture_now(&call->cache, &call->key, captured);
}
