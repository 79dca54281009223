/* Reads arrays and Traversables into tables of the call's own, out of reach of what runs later: the code of a
 * value that is serialized may change the array or the iterator that it came from. */
/* SPDX-License-Identifier: MIT */
#include "cache_collect.h"

#include "ext/spl/spl_iterators.h"

typedef struct collecting {
	HashTable *table;
	uint32_t arg_num;
} collecting;

/* Returns a new reference. NULL with an exception for an empty name. */
static zend_string *name_of(zval *key, uint32_t arg_num) {
	zend_string *name = zval_get_string(key);
	if (ZSTR_LEN(name) > 0) {
		return name;
	}
	zend_string_release(name);
	zend_argument_value_error(arg_num, "cannot contain an empty key");
	return NULL;
}

static bool is_key(const zval *key) {
	return Z_TYPE_P(key) == IS_STRING || Z_TYPE_P(key) == IS_LONG;
}

static HashTable *begin(HashTable *table, zval *given, dtor_func_t destroy) {
	bool is_array = Z_TYPE_P(given) == IS_ARRAY;
	zend_hash_init(table, is_array ? zend_hash_num_elements(Z_ARRVAL_P(given)) : 8, NULL, destroy,
		false);
	return is_array ? Z_ARRVAL_P(given) : NULL;
}

static bool collect_all(HashTable *table, zval *given, uint32_t arg_num,
	spl_iterator_apply_func_t collect) {
	collecting state = {table, arg_num};
	return spl_iterator_apply(given, collect, &state) == SUCCESS;
}

/* --- names --- */

static bool add_name(HashTable *names, zval *element, uint32_t arg_num) {
	ZVAL_DEREF(element);
	if (!is_key(element)) {
		zend_argument_type_error(arg_num, "must be a list of strings, %s given in it",
			zend_zval_type_name(element));
		return false;
	}
	zend_string *name = name_of(element, arg_num);
	if (name == NULL) {
		return false;
	}
	zend_hash_add(names, name, &EG(uninitialized_zval));
	zend_string_release(name);
	return true;
}

static int collect_name(zend_object_iterator *iterator, void *context) {
	const collecting *state = context;
	zval *element = iterator->funcs->get_current_data(iterator);
	bool is_added =
		element != NULL && EG(exception) == NULL && add_name(state->table, element, state->arg_num);
	return is_added ? ZEND_HASH_APPLY_KEEP : ZEND_HASH_APPLY_STOP;
}

bool php_mcp_cache_collect_names(HashTable *names, zval *keys, uint32_t arg_num) {
	HashTable *array = begin(names, keys, ZVAL_PTR_DTOR);
	if (array == NULL) {
		return collect_all(names, keys, arg_num, collect_name);
	}
	zval *element;
	ZEND_HASH_FOREACH_VAL(array, element) {
		if (EXPECTED(Z_TYPE_P(element) == IS_STRING && Z_STRLEN_P(element) > 0)) {
			zend_hash_add(names, Z_STR_P(element), &EG(uninitialized_zval));
		} else if (!add_name(names, element, arg_num)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* --- values --- */

static bool add_value(HashTable *values, zval *key, zval *given, uint32_t arg_num) {
	if (!is_key(key)) {
		zend_argument_type_error(arg_num, "must have strings as keys, %s given among them",
			zend_zval_type_name(key));
		return false;
	}
	zend_string *name = name_of(key, arg_num);
	if (name == NULL) {
		return false;
	}
	zval value;
	ZVAL_COPY_DEREF(&value, given);
	zend_hash_update(values, name, &value);
	zend_string_release(name);
	return EG(exception) == NULL; /* of the destructor of an earlier value */
}

static void read_key(zend_object_iterator *iterator, zval *key) {
	if (iterator->funcs->get_current_key != NULL) {
		ZVAL_NULL(key);
		iterator->funcs->get_current_key(iterator, key);
	} else {
		ZVAL_LONG(key, (zend_long)iterator->index);
	}
}

/* Copies the value first: reading the key may run user code that drops it. */
static int collect_value(zend_object_iterator *iterator, void *context) {
	const collecting *state = context;
	zval *current = iterator->funcs->get_current_data(iterator);
	if (current == NULL || EG(exception) != NULL) {
		return ZEND_HASH_APPLY_STOP;
	}
	zval value;
	zval key;
	ZVAL_COPY_DEREF(&value, current);
	read_key(iterator, &key);
	bool is_added = EG(exception) == NULL && add_value(state->table, &key, &value, state->arg_num);
	zval_ptr_dtor(&key);
	zval_ptr_dtor(&value);
	return is_added ? ZEND_HASH_APPLY_KEEP : ZEND_HASH_APPLY_STOP;
}

bool php_mcp_cache_collect_values(HashTable *values, zval *given, uint32_t arg_num) {
	HashTable *array = begin(values, given, ZVAL_PTR_DTOR);
	if (array == NULL) {
		return collect_all(values, given, arg_num, collect_value);
	}
	zend_ulong index;
	zend_string *name;
	zval *value;
	ZEND_HASH_FOREACH_KEY_VAL(array, index, name, value) {
		zval key;
		if (name != NULL) {
			ZVAL_STR(&key, name);
		} else {
			ZVAL_LONG(&key, (zend_long)index);
		}
		if (!add_value(values, &key, value, arg_num)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}
