/* Walks the arrays of a value, for serializers that support neither objects nor references. */
/* SPDX-License-Identifier: MIT */
#include "plain.h"

typedef struct looking {
	HashTable seen; /* arrays that are shared */
	mcp_plain_facts facts;
} looking;

/* Detect arrays that were visited before: a referenced array can contain itself. */
static bool is_seen(looking *look, HashTable *array, bool is_referred) {
	return (is_referred || GC_REFCOUNT(array) > 1) &&
		zend_hash_index_add_empty_element(&look->seen, (zend_ulong)(uintptr_t)array) == NULL;
}

static void look_at(looking *look, zval *value) {
	bool is_referred = Z_ISREF_P(value) && Z_REFCOUNT_P(value) > 1;
	ZVAL_DEREF(value);
	look->facts.has_references |= is_referred;
	look->facts.has_objects |= Z_TYPE_P(value) == IS_OBJECT;
	if (Z_TYPE_P(value) != IS_ARRAY || is_seen(look, Z_ARRVAL_P(value), is_referred)) {
		return;
	}
	zval *element;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), element) {
		look_at(look, element);
	}
	ZEND_HASH_FOREACH_END();
}

mcp_plain_facts php_mcp_plain_look(zval *value) {
	looking look = {0};
	zend_hash_init(&look.seen, 8, NULL, NULL, false);
	look_at(&look, value);
	zend_hash_destroy(&look.seen);
	return look.facts;
}
