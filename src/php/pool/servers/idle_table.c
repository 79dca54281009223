/* Tables with long texts of servers as keys. The application chooses these texts, so a forged
 * collision gains nothing. */
/* SPDX-License-Identifier: MIT */
#include "idle_table.h"

#include "../../../core/vendor/xxh64.h"

/* PHP uses 0 for an unknown hash. */
#define KNOWN ((zend_ulong)1 << (sizeof(zend_ulong) * 8 - 1))

#define GOES_LAST ((uint64_t)1 << 63)

void php_mcp_idle_table_init(mcp_idle_table *table, size_t idle_max, dtor_func_t free_entry) {
	*table = (mcp_idle_table){.idle_max = idle_max};
	zend_hash_init(&table->entries, 8, NULL, free_entry, 1);
}

/* A string keeps its hash, so any hash function works for PHP's tables. */
zend_string *php_mcp_idle_table_key(zend_string *text) {
	ZSTR_H(text) = (zend_ulong)XXH64(ZSTR_VAL(text), ZSTR_LEN(text), 0) | KNOWN;
	return text;
}

void *php_mcp_idle_table_share(mcp_idle_table *table, zend_string *key) {
	mcp_idle_entry *entry = zend_hash_find_ptr(&table->entries, key);
	if (entry != NULL) {
		table->idle -= entry->users == 0;
		entry->users++;
	}
	return entry;
}

zend_string *php_mcp_idle_table_add(mcp_idle_table *table, const zend_string *key, void *entry) {
	zend_string *kept = zend_string_init(ZSTR_VAL(key), ZSTR_LEN(key), 1);
	ZSTR_H(kept) = ZSTR_H(key);
	zend_hash_add_new_ptr(&table->entries, kept, entry);
	zend_string_release(kept);
	((mcp_idle_entry *)entry)->users = 1;
	return kept;
}

static zend_string *take_oldest(mcp_idle_table *table) {
	zend_string *key, *oldest_key = NULL;
	const mcp_idle_entry *entry, *oldest = NULL;
	ZEND_HASH_FOREACH_STR_KEY_PTR(&table->entries, key, entry) {
		if (entry->users == 0 && (oldest == NULL || entry->given_back < oldest->given_back)) {
			oldest = entry;
			oldest_key = key;
		}
	}
	ZEND_HASH_FOREACH_END();
	table->idle--;
	return oldest_key;
}

zend_string *php_mcp_idle_table_release(mcp_idle_table *table, void *entry, bool goes_last) {
	mcp_idle_entry *released = entry;
	if (--released->users > 0) {
		return NULL;
	}
	released->given_back = ++table->clock | (goes_last ? GOES_LAST : 0);
	return ++table->idle > table->idle_max ? take_oldest(table) : NULL;
}

void php_mcp_idle_table_let_go(mcp_idle_table *table, void *entry, bool goes_last) {
	zend_string *key = php_mcp_idle_table_release(table, entry, goes_last);
	if (key != NULL) {
		zend_hash_del(&table->entries, key);
	}
}
