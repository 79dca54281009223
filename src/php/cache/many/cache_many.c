/* Many keys of one Cache at once: what reading many takes. Everything is read and every
 * election held before the first value is decoded: decoding is user code, and would end the views of the keys not
 * yet looked at. */
/* SPDX-License-Identifier: MIT */
#include "cache_many.h"

#include "../../objects/failure.h"
#include "../claims/cache_claims.h"
#include "../tags/tag_snapshots.h"
#include "../value/cache_trouble.h"
#include "../value/cache_value.h"
#include "many_room.h"

/* Cuts the next array off the memory of all. */
static void *cut(char **memory, size_t count, size_t size) {
	void *array = *memory;
	*memory += count * size;
	return array;
}

/* Makes room of one piece; the parts that need no alignment come last. */
static void make_room(mcp_cache_many *many, size_t count) {
	size_t numbers = many->cache.tags != NULL ? many->cache.tags->count : 0;
	size_t per_key = numbers * sizeof(*many->tag_numbers) + sizeof(*many->names) +
		sizeof(*many->copies) + sizeof(*many->entries) + sizeof(*many->keys) +
		2 * sizeof(*many->replies) + 2 * sizeof(*many->scratch_keys) + sizeof(*many->buffers) +
		sizeof(*many->side_buffers);
	many->count = count;
	many->asked = count;
	many->near = NULL;
	many->memory = php_mcp_batch_scratch_take(count, per_key);
	char *rest = many->memory;
	many->names = cut(&rest, count, sizeof(*many->names));
	many->copies = cut(&rest, count, sizeof(*many->copies));
	many->entries = cut(&rest, count, sizeof(*many->entries));
	many->keys = cut(&rest, count, sizeof(*many->keys));
	many->replies = cut(&rest, count, 2 * sizeof(*many->replies));
	many->scratch_keys = cut(&rest, count, 2 * sizeof(*many->scratch_keys));
	many->tag_numbers = cut(&rest, count, numbers * sizeof(*many->tag_numbers));
	many->buffers = cut(&rest, count, sizeof(*many->buffers));
	many->side_buffers = cut(&rest, count, sizeof(*many->side_buffers));
}

void php_mcp_cache_many_begin(mcp_cache_many *many, HashTable *names) {
	make_room(many, zend_hash_num_elements(names));
	mcp_key_parts parts = php_mcp_cache_object_parts(many->object->pool, many->object->scope);
	size_t i = 0;
	zend_string *name;
	ZEND_HASH_MAP_FOREACH_STR_KEY(names, name) {
		parts.name = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
		many->names[i] = name;
		mcp_key_make_at(&many->keys[i], &many->buffers[i], &parts);
		i++;
	}
	ZEND_HASH_FOREACH_END();
	memset(many->copies, 0, many->count * sizeof(*many->copies));
}

void php_mcp_cache_many_end_uncopied(mcp_cache_many *many) {
	php_mcp_batch_scratch_give_back(many->memory);
}

void php_mcp_cache_many_end(mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		if (many->copies[i] != NULL) {
			zend_string_release(many->copies[i]);
		}
	}
	php_mcp_cache_many_end_uncopied(many);
}

mcp_cache_batch php_mcp_cache_many_batch(mcp_cache_many *many) {
	return (mcp_cache_batch){
		.keys = many->keys,
		.count = many->asked,
		.entries = many->entries,
		.replies = many->replies,
		.scratch_keys = many->scratch_keys,
		.side_buffers = many->side_buffers,
		.tag_numbers = many->tag_numbers,
	};
}

void php_mcp_cache_many_copy_payload(mcp_cache_many *many, size_t i) {
	const mcp_cache_entry *entry = &many->entries[i];
	if (entry->has_value) {
		many->copies[i] = zend_string_init(entry->payload.data, entry->payload.length, false);
	}
}

void php_mcp_cache_many_copy_payloads(mcp_cache_many *many) {
	for (size_t i = 0; i < many->asked; i++) {
		php_mcp_cache_many_copy_payload(many, i);
	}
}

void php_mcp_cache_many_note_looks(mcp_cache_many *many) {
	if (EXPECTED(many->cache.tags == NULL)) {
		return;
	}
	mcp_cache_batch batch = php_mcp_cache_many_batch(many);
	for (size_t i = 0; i < many->asked; i++) {
		php_mcp_tag_snapshots_note_among(many->object, &many->cache, &batch, i, many->names[i]);
	}
}

bool php_mcp_cache_many_complain(const mcp_cache_many *many) {
	for (size_t i = 0; i < many->count; i++) {
		if (many->entries[i].trouble == MCP_NO_CAS) {
			const zend_string *name = many->names[i];
			php_mcp_failure_throw_for_key(MCP_NO_CAS, "change",
				mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)), many->cache.store, &many->keys[i]);
			return true;
		}
	}
	return false;
}

/* Makes strings the values themselves; everything else is decoded from its copy. */
bool php_mcp_cache_many_take(mcp_cache_many *many, size_t i, zval *value) {
	zend_string *copy = many->copies[i];
	const mcp_cache_entry *entry = &many->entries[i];
	if (copy == NULL) {
		if (entry->is_unreadable) {
			php_mcp_cache_trouble_unreadable(many->object, &many->keys[i]);
		}
		return false;
	}
	if (entry->flags == MCP_VALUE_STRING) {
		ZVAL_STR(value, copy);
		many->copies[i] = NULL;
		return true;
	}
	mcp_bytes payload = mcp_bytes_of(ZSTR_VAL(copy), ZSTR_LEN(copy));
	return php_mcp_cache_value_take(many->object, &many->keys[i], payload, entry->flags, value);
}
