/* Walks the arrays of a value, each once however often it is shared, for what serialize() would spoil
 * without a word (a resource becomes 0) or nobody could read again. */
/* SPDX-License-Identifier: MIT */
#include "storable.h"

#include "../core/serialized.h"

typedef struct judging {
	HashTable heights; /* shared array => its height; 0 while it is being looked at */
	const char *mistake;
} judging;

static uint32_t height_of(judging *judge, zval *value, uint32_t depth);

static uint32_t height_of_elements(judging *judge, HashTable *array, uint32_t depth) {
	uint32_t highest = 0;
	zval *element;
	ZEND_HASH_FOREACH_VAL(array, element) {
		uint32_t height = height_of(judge, element, depth);
		highest = MAX(highest, height);
		if (judge->mistake != NULL) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	return highest;
}

static uint32_t height_of_shared(judging *judge, HashTable *array, uint32_t depth) {
	zval height;
	zend_ulong address = (zend_ulong)(uintptr_t)array;
	ZVAL_LONG(&height, 0);
	zend_hash_index_add_new(&judge->heights, address, &height);
	ZVAL_LONG(&height, 1 + height_of_elements(judge, array, depth + 1));
	zend_hash_index_update(&judge->heights, address, &height);
	return (uint32_t)Z_LVAL(height);
}

/* How many arrays stand inside each other from here on. A reference met again is written as a mark, and
 * counts nothing; that is also how an array contains itself. */
static uint32_t height_of(judging *judge, zval *value, uint32_t depth) {
	bool is_reference = Z_ISREF_P(value) && Z_REFCOUNT_P(value) > 1;
	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_RESOURCE) {
		judge->mistake = "resources are not";
	}
	/* Immutable arrays are literals: no resource can be in them. */
	if (Z_TYPE_P(value) != IS_ARRAY || !Z_REFCOUNTED_P(value)) {
		return 0;
	}
	HashTable *array = Z_ARRVAL_P(value);
	bool is_shared = is_reference || GC_REFCOUNT(array) > 1;
	zval *known =
		is_shared ? zend_hash_index_find(&judge->heights, (zend_ulong)(uintptr_t)array) : NULL;
	uint32_t height = known != NULL && !is_reference ? (uint32_t)Z_LVAL_P(known) : known == NULL;
	if (depth + height > MCP_SERIALIZED_DEPTH_MAX) {
		judge->mistake = MCP_STORABLE_TOO_DEEP;
	}
	if (known != NULL || judge->mistake != NULL) {
		return height;
	}
	return is_shared ? height_of_shared(judge, array, depth)
					 : 1 + height_of_elements(judge, array, depth + 1);
}

const char *mcp_storable_mistake(zval *value) {
	judging judge = {.mistake = NULL};
	zend_hash_init(&judge.heights, 8, NULL, NULL, false);
	height_of(&judge, value, 0);
	zend_hash_destroy(&judge.heights);
	return judge.mistake;
}
