/* A string remembers its hash, and PHP's tables go by that and by the bytes: any function will do. The
 * application chooses what is hashed: a made collision gains nothing. */
/* SPDX-License-Identifier: MIT */
#include "long_key.h"

#include "../../../core/vendor/xxh64.h"

/* PHP takes 0 for a hash that is not known yet. */
#define KNOWN ((zend_ulong)1 << (sizeof(zend_ulong) * 8 - 1))

zend_string *php_mcp_long_key_hash(zend_string *text) {
	ZSTR_H(text) = (zend_ulong)XXH64(ZSTR_VAL(text), ZSTR_LEN(text), 0) | KNOWN;
	return text;
}

void php_mcp_long_key_add(HashTable *table, const zend_string *key, void *entry) {
	zend_string *kept = zend_string_init(ZSTR_VAL(key), ZSTR_LEN(key), 1);
	ZSTR_H(kept) = ZSTR_H(key);
	zend_hash_add_new_ptr(table, kept, entry);
	zend_string_release(kept);
}
