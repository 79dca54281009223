/* Equal options are one key, and what stands behind a key is shared: a set with its connections, and its ring with all
 * sets of the same list. */
/* SPDX-License-Identifier: MIT */
#include "server_sets.h"

#include "php_mcpatterns.h"
#include "long_key.h"
#include "server_rings.h"
#include "zend_smart_str.h"

static void destroy_entry(zval *entry) {
	php_mcp_server_set_destroy(Z_PTR_P(entry));
}

void php_mcp_server_sets_init(mcp_server_set_table *table) {
	zend_hash_init(&table->sets, 8, NULL, destroy_entry, 1);
	php_mcp_server_rings_init(&table->rings);
	php_mcp_outage_state_init(&table->knowledge);
	php_mcp_server_lists_init(&table->lists);
	table->idle = 0;
	table->clock = 0;
}

void php_mcp_server_sets_destroy(mcp_server_set_table *table) {
	zend_hash_destroy(&table->sets);
	zend_hash_destroy(&table->rings);
	php_mcp_outage_state_destroy(&table->knowledge);
	php_mcp_server_lists_destroy(&table->lists);
}

zend_string *php_mcp_server_sets_judge(const mcp_written_servers *written, zend_string **name,
	mcp_server_list_needs *needs) {
	return php_mcp_server_lists_name(&MCP_G(server_sets).lists, written, name, needs);
}

static void append_number(smart_str *key, uint64_t number) {
	smart_str_append_unsigned(key, number);
	smart_str_appendc(key, '|');
}

/* Appends what a ring depends on. Runs once for each Pool that is made, in many applications in each request: by hand,
 * as printf would take a third of all that this takes. */
static void append_list(smart_str *key, const mcp_server_set_options *options) {
	append_number(key, (uint32_t)options->distribution);
	smart_str_append(key, options->list_name);
}

static zend_string *make_key(const mcp_server_set_options *options) {
	smart_str key = {0};
	append_number(&key, (uint32_t)options->settings.transport);
	append_number(&key, options->settings.connect_timeout_ms);
	append_number(&key, options->settings.timeout_ms);
	append_number(&key, options->settings.retry_after_ms);
	append_number(&key, options->settings.user.id);
	append_number(&key, options->settings.user.group);
	if (options->settings.access != NULL) {
		smart_str_appendl(&key, (const char *)options->settings.access->fingerprint,
			MCP_ACCESS_FINGERPRINT_LENGTH);
		smart_str_appendc(&key, '|');
	}
	append_list(&key, options);
	return php_mcp_long_key_hash(smart_str_extract(&key));
}

static mcp_server_ring *share_ring(const mcp_server_set_options *options,
	const mcp_server_list *list) {
	smart_str key = {0};
	append_list(&key, options);
	zend_string *text = smart_str_extract(&key);
	mcp_server_ring *ring = php_mcp_server_rings_share(&MCP_G(server_sets).rings,
		mcp_bytes_of(ZSTR_VAL(text), ZSTR_LEN(text)), options->distribution, list);
	zend_string_release(text);
	return ring;
}

static mcp_server_set *create_of(const mcp_server_set_options *options,
	const mcp_server_list *list) {
	size_t count = list->count;
	mcp_server_set *set = pecalloc(1, sizeof(*set), 1);
	set->count = count;
	php_mcp_connections_expect(count);
	set->servers = safe_pemalloc(count, sizeof(mcp_server), 0, 1);
	memcpy(set->servers, list->servers, count * sizeof(mcp_server));
	set->connections = safe_pemalloc(count, sizeof(mcp_kept_connection *), 0, 1);
	if (count > 1) {
		set->ring = share_ring(options, list);
	}
	return set;
}

/* Makes a set without connections. Reads the list again, as what was judged once is known by its name alone. */
static mcp_server_set *create(const mcp_server_set_options *options) {
	mcp_server_list list;
	zend_string *mistake = php_mcp_servers_parse(&list, &options->written);
	ZEND_ASSERT(mistake == NULL);
	(void)mistake;
	mcp_server_set *set = create_of(options, &list);
	php_mcp_servers_free(&list);
	return set;
}

static mcp_server_set *create_shared(const mcp_server_set_options *options) {
	mcp_server_set *set = create(options);
	set->is_shared = true;
	for (size_t i = 0; i < set->count; i++) {
		set->connections[i] = php_mcp_connections_share(&set->servers[i], &options->settings);
	}
	return set;
}

mcp_server_set *php_mcp_server_sets_share(const mcp_server_set_options *options) {
	mcp_server_set_table *table = &MCP_G(server_sets);
	zend_string *key = make_key(options);
	mcp_server_set *set = zend_hash_find_ptr(&table->sets, key);
	if (set == NULL) {
		set = create_shared(options);
		php_mcp_long_key_add(&table->sets, key, set);
	} else if (set->users == 0) {
		table->idle--;
	}
	set->users++;
	zend_string_release(key);
	return set;
}

mcp_server_set *php_mcp_server_sets_own(const mcp_server_set_options *options) {
	mcp_server_set *set = create(options);
	for (size_t i = 0; i < set->count; i++) {
		set->connections[i] = php_mcp_connections_own(&set->servers[i], &options->settings);
	}
	return set;
}

static void forget_oldest(mcp_server_set_table *table) {
	zend_string *key, *oldest_key = NULL;
	mcp_server_set *set, *oldest = NULL;
	ZEND_HASH_FOREACH_STR_KEY_PTR(&table->sets, key, set) {
		if (set->users == 0 && (oldest == NULL || set->given_back < oldest->given_back)) {
			oldest = set;
			oldest_key = key;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (oldest != NULL) {
		php_mcp_server_set_let_go(oldest);
		zend_hash_del(&table->sets, oldest_key);
		table->idle--;
	}
}

static void give_back(mcp_server_set *set) {
	mcp_server_set_table *table = &MCP_G(server_sets);
	if (--set->users > 0) {
		return;
	}
	set->given_back = ++table->clock;
	if (++table->idle > MCP_SERVER_SETS_IDLE_MAX) {
		forget_oldest(table);
	}
}

void php_mcp_server_sets_free(mcp_server_set *set) {
	mcp_server_set *shared = set->is_shared ? set : set->lender;
	if (shared == NULL) {
		php_mcp_server_set_let_go(set);
	}
	if (!set->is_shared) {
		php_mcp_server_set_destroy(set);
	}
	if (shared != NULL) {
		give_back(shared);
	}
}

static mcp_server_set *borrow(mcp_server_set *shared) {
	mcp_server_set *set = pecalloc(1, sizeof(*set), 1);
	set->count = shared->count;
	set->servers = shared->servers;
	set->connections = shared->connections;
	set->ring = shared->ring;
	set->lender = shared;
	return set;
}

mcp_server_set *php_mcp_server_sets_observe(mcp_server_set *set, mcp_store_observer observer,
	void *context) {
	if (set->is_shared) {
		set = borrow(set);
	}
	php_mcp_server_set_observe(set, observer, context);
	return set;
}
