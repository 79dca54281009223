/* Tables of a thread, with entries that several users share. Entries without users are kept for a while, because they
 * are expensive to create. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_SERVERS_IDLE_TABLE_H
#define MCP_PHP_POOL_SERVERS_IDLE_TABLE_H

#include "php.h"

/* First member of each entry. */
typedef struct mcp_idle_entry {
	uint32_t users;
	uint64_t given_back; /* time of the last release, by the table's clock */
} mcp_idle_entry;

typedef struct mcp_idle_table {
	HashTable entries; /* key -> entry, persistent */
	size_t idle;       /* entries without a user */
	/* limit for entries without a user; beyond it, the entry that was released first is removed */
	size_t idle_max;
	uint64_t clock; /* counts releases */
} mcp_idle_table;

/* `free_entry` must not use the thread's other tables. Destroy with zend_hash_destroy(&table->entries). */
void php_mcp_idle_table_init(mcp_idle_table *table, size_t idle_max, dtor_func_t free_entry);

/* Make a key in place of its text. The hash takes a tenth of the time of PHP's byte-wise hash function. */
zend_string *php_mcp_idle_table_key(zend_string *text);
/* Find an entry and add a user, who must release it. NULL: no such entry. */
void *php_mcp_idle_table_share(mcp_idle_table *table, zend_string *key);
/* Add a new entry with its first user. Returns its key, borrowed. */
zend_string *php_mcp_idle_table_add(mcp_idle_table *table, const zend_string *key, void *entry);
/* Remove a user of an entry. `goes_last`: if the entry has no users, it is removed after all entries for which
 * `goes_last` was false. If too many entries have no users, returns the key of the entry to remove; otherwise NULL. */
zend_string *php_mcp_idle_table_release(mcp_idle_table *table, void *entry, bool goes_last);
/* Remove a user, and remove an entry if too many entries have no users. */
void php_mcp_idle_table_let_go(mcp_idle_table *table, void *entry, bool goes_last);

#endif
