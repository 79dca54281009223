/* Checks the arrays of a value, each once even if shared. Finds values that serialize() would silently spoil (a
 * resource becomes 0), values that no process could read, and arrays that user code could drop meanwhile. */
/* SPDX-License-Identifier: MIT */
#include "storable.h"

#include "../../core/serialized/serialized.h"

typedef struct judging {
	HashTable heights; /* shared array => height; 0 during its check */
	bool has_referred; /* an array is reachable by a reference */
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

/* Depth of nested arrays from here on. A repeated reference is serialized as a back reference and counts as 0, also
 * if an array contains itself. */
static uint32_t height_of(judging *judge, zval *value, uint32_t depth) {
	bool is_reference = Z_ISREF_P(value) && Z_REFCOUNT_P(value) > 1;
	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_RESOURCE) {
		judge->mistake = "the value contains a resource";
	}
	/* Immutable arrays are literals and cannot contain a resource. */
	if (Z_TYPE_P(value) != IS_ARRAY || !Z_REFCOUNTED_P(value)) {
		return 0;
	}
	judge->has_referred = judge->has_referred || is_reference;
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

/* Copies each reference and each shared array once, so that sharing and the serialized text stay the same. `copies`:
 * address of the original => copy, borrowed. */
static void copy_value(HashTable *copies, zval *to, zval *from);

static bool copy_known(HashTable *copies, zval *to, const void *original) {
	zval *known = zend_hash_index_find(copies, (zend_ulong)(uintptr_t)original);
	if (known != NULL) {
		ZVAL_COPY(to, known);
	}
	return known != NULL;
}

static void note_copy(HashTable *copies, const void *original, zval *made) {
	zend_hash_index_update(copies, (zend_ulong)(uintptr_t)original, made);
}

static void copy_reference(HashTable *copies, zval *to, zval *from) {
	const zend_reference *original = Z_REF_P(from);
	if (copy_known(copies, to, original)) {
		return;
	}
	ZVAL_NEW_EMPTY_REF(to);
	ZVAL_NULL(Z_REFVAL_P(to));
	note_copy(copies, original, to); /* it may contain itself */
	zval inner;
	copy_value(copies, &inner, Z_REFVAL_P(from));
	ZVAL_COPY_VALUE(Z_REFVAL_P(to), &inner);
}

static void copy_array(HashTable *copies, zval *to, HashTable *original) {
	if (copy_known(copies, to, original)) {
		return;
	}
	zend_ulong number;
	zend_string *name;
	zval *element;
	array_init_size(to, zend_hash_num_elements(original));
	ZEND_HASH_FOREACH_KEY_VAL(original, number, name, element) {
		zval inner;
		copy_value(copies, &inner, element);
		if (name != NULL) {
			zend_hash_add_new(Z_ARRVAL_P(to), name, &inner);
		} else {
			zend_hash_index_add_new(Z_ARRVAL_P(to), number, &inner);
		}
	}
	ZEND_HASH_FOREACH_END();
	if (GC_REFCOUNT(original) > 1) {
		note_copy(copies, original, to);
	}
}

static void copy_value(HashTable *copies, zval *to, zval *from) {
	if (Z_ISREF_P(from) && Z_REFCOUNT_P(from) > 1) {
		copy_reference(copies, to, from);
		return;
	}
	ZVAL_DEREF(from);
	if (Z_TYPE_P(from) == IS_ARRAY && Z_REFCOUNTED_P(from)) {
		copy_array(copies, to, Z_ARRVAL_P(from));
	} else {
		ZVAL_COPY(to, from);
	}
}

const char *php_mcp_storable_hold(zval *held, zval *value) {
	judging judge = {.mistake = NULL};
	zend_hash_init(&judge.heights, 8, NULL, NULL, false);
	height_of(&judge, value, 0);
	zend_hash_destroy(&judge.heights);
	if (judge.mistake != NULL || !judge.has_referred) {
		ZVAL_COPY(held, value);
		return judge.mistake;
	}
	HashTable copies;
	zend_hash_init(&copies, 8, NULL, NULL, false);
	copy_value(&copies, held, value);
	zend_hash_destroy(&copies);
	return NULL;
}
