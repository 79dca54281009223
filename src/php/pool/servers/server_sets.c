/* Builds server sets: sets with equal options are shared, and rings are shared by sets with equal lists. */
/* SPDX-License-Identifier: MIT */
#include "server_sets.h"

#include "../../../store/cluster/router.h"
#include "../../../store/cluster/store_cluster.h"
#include "../../../store/failover/store_failover.h"
#include "server_set_table.h"
#include "zend_smart_str.h"
#include "php_mcpatterns.h"

static const char *const names[] = {
	[MCP_DISTRIBUTION_MODULO] = "modulo",
	[MCP_DISTRIBUTION_KETAMA] = "ketama",
	[MCP_DISTRIBUTION_ONE_AT_A_TIME] = "one_at_a_time",
};

const char *php_mcp_server_rings_name(mcp_distribution distribution) {
	return names[distribution];
}

bool php_mcp_server_rings_find(const char *name, mcp_distribution *distribution) {
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(name, names[i]) == 0) {
			*distribution = (mcp_distribution)i;
			return true;
		}
	}
	return false;
}

static void destroy_ring_entry(zval *entry) {
	mcp_server_ring *ring = Z_PTR_P(entry);
	mcp_router_free(ring->router);
	pefree(ring, 1);
}

static void php_mcp_server_rings_init(HashTable *rings) {
	zend_hash_init(rings, 8, NULL, destroy_ring_entry, 1);
}

/* Build a router. For a memory:// server it hashes the whole address, so that test names cannot match a real server. */
static mcp_router *create_router(mcp_distribution distribution, const mcp_server_list *list) {
	mcp_router_server servers[MCP_SERVERS_MAX];
	for (size_t i = 0; i < list->count; i++) {
		const mcp_server *server = &list->servers[i];
		servers[i] = (mcp_router_server){
			.host = server->kind == MCP_SERVER_MEMORY ? server->address : server->host,
			.port = server->port,
			.weight = server->weight,
		};
	}
	return distribution == MCP_DISTRIBUTION_KETAMA
		? mcp_router_ketama_create(servers, list->count)
		: mcp_router_modulo_create(distribution, list->count);
}

static mcp_server_ring *create_ring(mcp_bytes key, mcp_distribution distribution,
	const mcp_server_list *list) {
	mcp_server_ring *ring = safe_pemalloc(1, sizeof(*ring), key.length, 1);
	*ring = (mcp_server_ring){
		.router = create_router(distribution, list),
		.key_length = key.length,
	};
	memcpy(ring->key, key.data, key.length);
	if (UNEXPECTED(ring->router == NULL)) {
		zend_error_noreturn(E_ERROR, "Out of memory");
	}
	return ring;
}

/* Share the ring of `key`, which identifies distribution, addresses, weights and order. The caller must release it. */
static mcp_server_ring *php_mcp_server_rings_share(HashTable *rings, mcp_bytes key,
	mcp_distribution distribution, const mcp_server_list *list) {
	mcp_server_ring *ring = zend_hash_str_find_ptr(rings, key.data, key.length);
	if (ring == NULL) {
		ring = create_ring(key, distribution, list);
		zend_hash_str_add_new_ptr(rings, key.data, key.length, ring);
	}
	ring->users++;
	return ring;
}

static void php_mcp_server_rings_let_go(HashTable *rings, mcp_server_ring *ring) {
	if (--ring->users == 0) {
		zend_hash_str_del(rings, ring->key, ring->key_length);
	}
}

static void *require_memory(void *allocated) {
	if (UNEXPECTED(allocated == NULL)) {
		zend_error_noreturn(E_ERROR, "Out of memory");
	}
	return allocated;
}

static void free_observed(mcp_server_set *set) {
	for (size_t i = 0; i < set->count; i++) {
		mcp_store_free(set->observed[i]);
	}
	pefree(set->observed, 1);
}

static void free_failover(mcp_server_set *set) {
	mcp_store_free(set->failover_store);
	mcp_store_free(set->waiting_store);
	mcp_store_free(set->marked_store);
	for (size_t i = 0; i < 2 * set->count; i++) {
		mcp_store_free(set->marked[i]);
	}
	pefree(set->marked, 1);
}

static void free_parts(mcp_server_set *set) {
	pefree(set->connections, 1);
	pefree(set->servers, 1);
}

/* Free the set and its stores, but not connections, ring and outage state. */
static void php_mcp_server_set_destroy(mcp_server_set *set) {
	if (set->count > 1 && set->store != NULL) {
		mcp_store_free(set->store);
	}
	if (set->marked != NULL) {
		free_failover(set);
	}
	if (set->observed != NULL) {
		free_observed(set);
	}
	if (set->lender == NULL) {
		free_parts(set);
	}
	pefree(set, 1);
}

/* Release connections, ring and outage state before the set is destroyed. Not for a borrowing set. */
static void php_mcp_server_set_let_go(mcp_server_set *set) {
	for (size_t i = 0; i < set->count; i++) {
		php_mcp_connections_free(set->connections[i]);
	}
	if (set->ring != NULL) {
		php_mcp_server_rings_let_go(&MCP_G(server_sets).rings, set->ring);
	}
	if (set->knowledge != NULL) {
		php_mcp_outage_state_let_go(&MCP_G(server_sets).knowledge, set->knowledge);
	}
}

/* Observe an owned or borrowing set: see php_mcp_server_sets_observe(). */
static void php_mcp_server_set_observe(mcp_server_set *set, mcp_store_observer observer,
	void *context) {
	mcp_store **observed = safe_pemalloc(set->count, sizeof(mcp_store *), 0, 1);
	for (size_t i = 0; i < set->count; i++) {
		observed[i] = require_memory(mcp_error_observer_create(observer, context, i));
	}
	set->observed = observed;
	set->generation = 0;
	set->failover_generation = 0;
}

/* Store of the server, with its observer updated. */
static mcp_store *store_of(const mcp_server_set *set, size_t index) {
	mcp_store *store = php_mcp_connections_store(set->connections[index]);
	if (EXPECTED(set->observed == NULL)) {
		return store;
	}
	mcp_error_observer_aim(set->observed[index], store);
	return set->observed[index];
}

static size_t pick(void *router, mcp_bytes route) {
	return mcp_router_pick(router, route);
}

static mcp_store *cluster_of(const mcp_server_set *set, mcp_store **stores) {
	return require_memory(mcp_store_cluster_create(stores, set->count, pick, set->ring->router));
}

static mcp_store *create_cluster(mcp_server_set *set) {
	mcp_store *stores[MCP_SERVERS_MAX];
	/* Get all stores first: opening one may close another. */
	for (size_t i = 0; i < set->count; i++) {
		php_mcp_connections_note_use(set->connections[i]);
	}
	for (size_t i = 0; i < set->count; i++) {
		stores[i] = store_of(set, i);
	}
	return cluster_of(set, stores);
}

static void assemble(mcp_server_set *set) {
	if (set->count == 1) {
		set->store = store_of(set, 0);
	} else {
		if (set->store != NULL) {
			mcp_store_free(set->store);
			set->store = NULL;
		}
		set->store = create_cluster(set);
	}
	set->generation = php_mcp_connections_generation();
}

mcp_store *php_mcp_server_set_store(mcp_server_set *set) {
	uint64_t generation = php_mcp_connections_generation();
	if (UNEXPECTED(set->generation != generation)) {
		assemble(set);
	}
	return set->store;
}

/* Outages known to the process, shared by all sets with this list. */
static mcp_server_health *know(mcp_server_set *set) {
	mcp_server_set *owner = set->lender != NULL ? set->lender : set;
	if (owner->knowledge == NULL) {
		mcp_bytes key = mcp_bytes_of(owner->ring->key, owner->ring->key_length);
		owner->knowledge =
			php_mcp_outage_state_share(&MCP_G(server_sets).knowledge, key, owner->count);
	}
	return php_mcp_outage_state_get(owner->knowledge);
}

bool php_mcp_server_set_saw_outage(mcp_server_set *set) {
	return set->count > 1 && know(set)->outages > 0;
}

static void mark_servers(mcp_server_set *set, mcp_server_health *known) {
	set->marked = safe_pemalloc(2 * set->count, sizeof(mcp_store *), 0, 1);
	for (size_t i = 0; i < 2 * set->count; i++) {
		bool waits = i >= set->count;
		set->marked[i] = require_memory(mcp_failover_marks_create(known, i % set->count, waits));
	}
	set->marked_store = cluster_of(set, set->marked);
	set->waiting_store = cluster_of(set, set->marked + set->count);
	set->failover_store = require_memory(mcp_store_failover_create(set->waiting_store, known));
}

static void aim_failover(mcp_server_set *set) {
	mcp_server_health *known = know(set);
	if (set->marked == NULL) {
		mark_servers(set, known);
	}
	for (size_t i = 0; i < set->count; i++) {
		php_mcp_connections_note_use(set->connections[i]);
	}
	for (size_t i = 0; i < 2 * set->count; i++) {
		mcp_failover_marks_aim(set->marked[i], store_of(set, i % set->count));
	}
	set->failover_generation = php_mcp_connections_generation();
}

mcp_store *php_mcp_server_set_failover_store(mcp_server_set *set) {
	uint64_t generation = php_mcp_connections_generation();
	if (set->count == 1) {
		return php_mcp_server_set_store(set);
	}
	if (UNEXPECTED(set->failover_generation != generation)) {
		aim_failover(set);
	}
	return set->failover_store;
}

mcp_store *php_mcp_server_set_marked_store(mcp_server_set *set) {
	mcp_store *store = php_mcp_server_set_failover_store(set);
	return set->count == 1 ? store : set->marked_store;
}

mcp_store *php_mcp_server_set_server_store(mcp_server_set *set, size_t index) {
	php_mcp_connections_generation();
	return store_of(set, index);
}

size_t php_mcp_server_set_count(const mcp_server_set *set) {
	return set->count;
}

const mcp_server *php_mcp_server_set_server(const mcp_server_set *set, size_t index) {
	return &set->servers[index];
}

void php_mcp_server_set_close(mcp_server_set *set) {
	for (size_t i = 0; i < set->count; i++) {
		php_mcp_connections_close(set->connections[i]);
	}
}

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

/* Append what a ring depends on. Written by hand: runs for each Pool, where printf would take a third of the time. */
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

/* Create a set without connections. Parses the list again, because the cache keeps only its name. */
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
