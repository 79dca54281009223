/* Caches validated server lists, their names, and their hash keys. */
/* SPDX-License-Identifier: MIT */
#include "server_set_table.h"

#include "../../../core/vendor/xxh64.h"
#include "zend_smart_str.h"

/* Texts kept. Beyond that, the least recently used one is removed. */
#define MCP_SERVER_LISTS_MAX 64

/* A string keeps its hash, so any hash function works for PHP's tables. The application chooses the text, so a
 * forged collision gains nothing. */

/* PHP uses 0 for an unknown hash. */
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

/* Cached list, keyed by the written texts with their lengths, so that no two texts share a key. malloc'ed. */
typedef struct judged_list {
	zend_string *name; /* persistent */
	mcp_server_list_needs needs;
	uint64_t asked; /* by the table's clock */
} judged_list;

static void destroy_entry(zval *entry) {
	judged_list *judged = Z_PTR_P(entry);
	zend_string_release(judged->name);
	pefree(judged, 1);
}

void php_mcp_server_lists_init(mcp_server_list_table *table) {
	zend_hash_init(&table->texts, 8, NULL, destroy_entry, 1);
	table->clock = 0;
}

void php_mcp_server_lists_destroy(mcp_server_list_table *table) {
	zend_hash_destroy(&table->texts);
}

/* Write the text at `at`. Returns the end. */
static char *write_text(char *at, mcp_bytes text) {
	memcpy(at, &text.length, sizeof(text.length));
	at += sizeof(text.length);
	memcpy(at, text.data, text.length);
	return at + text.length;
}

/* Measure the texts, to allocate the key once. Returns false if an element is no string, which is a mistake. */
static bool measure(size_t *length, HashTable *texts) {
	zval *text;
	*length = 0;
	ZEND_HASH_FOREACH_VAL(texts, text) {
		ZVAL_DEREF(text);
		if (Z_TYPE_P(text) != IS_STRING) {
			return false;
		}
		*length += sizeof(size_t) + Z_STRLEN_P(text);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static void write_texts(char *at, HashTable *texts) {
	zval *text;
	ZEND_HASH_FOREACH_VAL(texts, text) {
		ZVAL_DEREF(text);
		at = write_text(at, mcp_bytes_of(Z_STRVAL_P(text), Z_STRLEN_P(text)));
	}
	ZEND_HASH_FOREACH_END();
}

/* Make a key. Its first byte distinguishes a text, which is trimmed and split at commas, from a list with one text.
 * Returns NULL on a mistake. */
static zend_string *make_key(const mcp_written_servers *written) {
	size_t length = sizeof(size_t) + written->text.length;
	if (written->texts != NULL && !measure(&length, written->texts)) {
		return NULL;
	}
	zend_string *key = zend_string_alloc(1 + length, 0);
	char *at = ZSTR_VAL(key);
	*at = written->texts != NULL ? 'l' : 't';
	if (written->texts != NULL) {
		write_texts(at + 1, written->texts);
	} else {
		write_text(at + 1, written->text);
	}
	at[1 + length] = '\0';
	return php_mcp_long_key_hash(key);
}

/* Write weights, addresses and passwords. A path can contain any byte except NUL. */
static zend_string *write_name(const mcp_server_list *list) {
	smart_str name = {0};
	for (size_t i = 0; i < list->count; i++) {
		const mcp_server *server = &list->servers[i];
		smart_str_append_unsigned_ex(&name, server->weight, 1);
		smart_str_appendc_ex(&name, server->is_tls ? '!' : '|', 1);
		smart_str_appends_ex(&name, server->is_discovery ? "?" : "", 1);
		smart_str_appendl_ex(&name, server->address, strlen(server->address) + 1, 1);
		if (php_mcp_server_secret_is_given(&server->secret)) {
			smart_str_appendl_ex(&name, server->secret.text, server->secret.length, 1);
			smart_str_appendl_ex(&name, "\n", 2, 1);
		}
	}
	smart_str_0(&name);
	return name.s;
}

static void forget_oldest(mcp_server_list_table *table) {
	zend_string *text, *oldest_text = NULL;
	judged_list *judged, *oldest = NULL;
	ZEND_HASH_FOREACH_STR_KEY_PTR(&table->texts, text, judged) {
		if (oldest == NULL || judged->asked < oldest->asked) {
			oldest = judged;
			oldest_text = text;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (oldest != NULL) {
		zend_hash_del(&table->texts, oldest_text);
	}
}

static mcp_server_list_needs needs_of(const mcp_server_list *list) {
	mcp_server_list_needs needs = {0};
	for (size_t i = 0; i < list->count; i++) {
		needs.tls |= list->servers[i].is_tls;
		needs.discovery |= list->servers[i].is_discovery;
		needs.secret |= php_mcp_server_secret_is_given(&list->servers[i].secret);
	}
	return needs;
}

static judged_list *remember(mcp_server_list_table *table, const zend_string *key,
	const mcp_server_list *list) {
	if (zend_hash_num_elements(&table->texts) >= MCP_SERVER_LISTS_MAX) {
		forget_oldest(table);
	}
	judged_list *judged = pecalloc(1, sizeof(*judged), 1);
	judged->name = write_name(list);
	judged->needs = needs_of(list);
	php_mcp_long_key_add(&table->texts, key, judged);
	return judged;
}

/* Parse the list and cache it under `key`, which may be NULL if a mistake is certain. Returns NULL on a mistake. */
static judged_list *judge(mcp_server_list_table *table, const zend_string *key,
	const mcp_written_servers *written, zend_string **mistake) {
	mcp_server_list list;
	*mistake = php_mcp_servers_parse(&list, written);
	if (*mistake != NULL) {
		return NULL;
	}
	judged_list *judged = remember(table, key, &list);
	php_mcp_servers_free(&list);
	return judged;
}

zend_string *php_mcp_server_lists_name(mcp_server_list_table *table,
	const mcp_written_servers *written, zend_string **name, mcp_server_list_needs *needs) {
	zend_string *mistake = NULL;
	zend_string *key = make_key(written);
	judged_list *judged = key != NULL ? zend_hash_find_ptr(&table->texts, key) : NULL;
	if (judged == NULL) {
		judged = judge(table, key, written, &mistake);
	}
	if (judged != NULL) {
		judged->asked = ++table->clock;
		*name = zend_string_copy(judged->name);
		*needs = judged->needs;
	}
	if (key != NULL) {
		zend_string_release(key);
	}
	return mistake;
}
