/* Builds server sets: sets with equal options are shared, and rings are shared by sets with equal lists. */
/* SPDX-License-Identifier: MIT */
#include "server_sets.h"

#include "../../../store/cluster/router.h"
#include "../../../store/cluster/store_cluster.h"
#include "../../../store/failover/server_health.h"
#include "../../../store/failover/store_failover.h"
#include "../../host/environment.h"
#include "../../host/process.h"
#include "connections.h"
#include "zend_smart_str.h"
#include "php_mcpatterns.h"

/* Maximum number of texts of lists that are kept. */
#define LISTS_MAX 64
/* Maximum number of sets that are kept without a Pool for the next request. With 50 servers, each set takes at most 390
 * KiB. */
#define SETS_IDLE_MAX 64
/* Maximum number of outage states that are kept for lists without a set, preferably of lists that have seen an
 * outage. */
#define OUTAGES_IDLE_MAX 64

static const char *const names[] = {
	[MCP_DISTRIBUTION_MODULO] = "modulo",
	[MCP_DISTRIBUTION_KETAMA] = "ketama",
	[MCP_DISTRIBUTION_ONE_AT_A_TIME] = "one_at_a_time",
};

const char *php_mcp_server_sets_distribution_name(mcp_distribution distribution) {
	return names[distribution];
}

bool php_mcp_server_sets_find_distribution(const char *name, mcp_distribution *distribution) {
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcasecmp(name, names[i]) == 0) {
			*distribution = (mcp_distribution)i;
			return true;
		}
	}
	return false;
}

static void *require_memory(void *allocated) {
	if (UNEXPECTED(allocated == NULL)) {
		zend_error_noreturn(E_ERROR, "Out of memory");
	}
	return allocated;
}

/* --- lists --- */

/* Cached list, keyed by the written texts with their lengths, so that no two texts share a key. malloc'ed. */
typedef struct judged_list {
	mcp_idle_entry entry;
	zend_string *name; /* persistent */
	mcp_server_list_needs needs;
} judged_list;

static void destroy_list(zval *entry) {
	judged_list *judged = Z_PTR_P(entry);
	zend_string_release(judged->name);
	pefree(judged, 1);
}

/* Make a key. Its first byte distinguishes a text, which is trimmed and split at commas, from a list with one text.
 * Returns NULL if an element is not a string, which is a mistake. */
static zend_string *make_text_key(const mcp_written_servers *written) {
	smart_str key = {0};
	zval *text;
	if (written->texts == NULL) {
		return php_mcp_idle_table_key(zend_string_concat2("t", 1, written->text.data,
			written->text.length));
	}
	smart_str_appendc(&key, 'l');
	ZEND_HASH_FOREACH_VAL(written->texts, text) {
		ZVAL_DEREF(text);
		if (Z_TYPE_P(text) != IS_STRING) {
			smart_str_free(&key);
			return NULL;
		}
		smart_str_appendl(&key, (const char *)&Z_STRLEN_P(text), sizeof(Z_STRLEN_P(text)));
		smart_str_append(&key, Z_STR_P(text));
	}
	ZEND_HASH_FOREACH_END();
	return php_mcp_idle_table_key(smart_str_extract(&key));
}

/* Write weights, addresses and passwords, separated by NUL, because a path can contain any other byte. */
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

/* Parse the list and cache it under `key`, which can be NULL if a mistake is certain. Returns NULL on a mistake. */
static judged_list *judge_written(const zend_string *key, const mcp_written_servers *written,
	zend_string **mistake) {
	mcp_server_list list;
	*mistake = php_mcp_servers_parse(&list, written);
	if (*mistake != NULL) {
		return NULL;
	}
	judged_list *judged = pecalloc(1, sizeof(*judged), 1);
	judged->name = write_name(&list);
	for (size_t i = 0; i < list.count; i++) {
		const mcp_server *server = &list.servers[i];
		judged->needs.tls |= server->is_tls;
		judged->needs.discovery |= server->is_discovery;
		judged->needs.secret |= php_mcp_server_secret_is_given(&server->secret);
	}
	php_mcp_idle_table_add(&MCP_G(server_sets).lists, key, judged);
	php_mcp_servers_free(&list);
	return judged;
}

zend_string *php_mcp_server_sets_judge(const mcp_written_servers *written, zend_string **name,
	mcp_server_list_needs *needs) {
	mcp_idle_table *table = &MCP_G(server_sets).lists;
	zend_string *mistake = NULL;
	zend_string *key = make_text_key(written);
	judged_list *judged = key != NULL ? php_mcp_idle_table_share(table, key) : NULL;
	if (judged == NULL) {
		judged = judge_written(key, written, &mistake);
	}
	if (judged != NULL) {
		*name = zend_string_copy(judged->name);
		*needs = judged->needs;
		php_mcp_idle_table_let_go(table, judged, false);
	}
	if (key != NULL) {
		zend_string_release(key);
	}
	return mistake;
}

/* --- rings --- */

/* Key distribution of a server list, shared by the thread's sets: a ring depends only on the list, and takes most of
 * a set's memory and setup time. malloc'ed. */
typedef struct mcp_server_ring {
	mcp_idle_entry entry;
	mcp_router *router;
	zend_string *key; /* the table's: distribution, addresses, weights and order */
} mcp_server_ring;

static void destroy_ring(zval *entry) {
	mcp_server_ring *ring = Z_PTR_P(entry);
	mcp_router_free(ring->router);
	pefree(ring, 1);
}

/* Build a router. For a memory:// server, the router hashes the whole address, so that test names cannot match a real
 * server. */
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

static mcp_server_ring *share_ring(const mcp_server_set_options *options,
	const mcp_server_list *list) {
	mcp_idle_table *rings = &MCP_G(server_sets).rings;
	zend_string *key =
		php_mcp_idle_table_key(zend_string_concat2((const char *)&options->distribution,
			sizeof(options->distribution), ZSTR_VAL(options->list_name),
			ZSTR_LEN(options->list_name)));
	mcp_server_ring *ring = php_mcp_idle_table_share(rings, key);
	if (ring == NULL) {
		ring = pecalloc(1, sizeof(*ring), 1);
		ring->router = require_memory(create_router(options->distribution, list));
		ring->key = php_mcp_idle_table_add(rings, key, ring);
	}
	zend_string_release(key);
	return ring;
}

/* --- outages --- */

/* Outages known to this process, per server list: which server is down, since when, and what to delete when it
 * recovers. The state outlives the Pools. Equal lists share it regardless of transport and timeouts. malloc'ed. */
typedef struct mcp_outage_state {
	mcp_idle_entry entry;
	mcp_server_health *known;
	pid_t pid; /* process that recorded this state */
} mcp_outage_state;

static void destroy_outages(zval *entry) {
	mcp_outage_state *knowledge = Z_PTR_P(entry);
	mcp_server_health_free(knowledge->known);
	pefree(knowledge, 1);
}

static mcp_outage_state *share_outages(zend_string *key, size_t count) {
	mcp_idle_table *table = &MCP_G(server_sets).outages;
	const mcp_environment *environment = php_mcp_environment_get();
	mcp_outage_state *knowledge = php_mcp_idle_table_share(table, key);
	if (knowledge == NULL) {
		knowledge = pecalloc(1, sizeof(*knowledge), 1);
		knowledge->known = require_memory(mcp_server_health_create(count,
			mcp_random_u64(environment), environment));
		knowledge->pid = php_mcp_process_id();
		php_mcp_idle_table_add(table, key, knowledge);
	}
	return knowledge;
}

/* --- sets --- */

/* A server list as one store: connections, key distribution, and stores over all of them. malloc'ed. */
struct mcp_server_set {
	mcp_idle_entry entry; /* entry of a shared set, whose users are Pools */
	size_t count;
	mcp_server *servers;
	mcp_kept_connection **connections;
	mcp_server_ring *ring; /* NULL for one server */
	mcp_store *store;      /* the store of the only connection, or the set's own cluster */
	uint64_t generation;   /* generation of the connections when `store` was built; 0: never */
	bool is_shared;
	/* For an observed set. Its observed stores wrap those of the connections. Servers, connections and ring can be
	 * borrowed from a shared set, which counts this set as a user. */
	mcp_store **observed;   /* NULL: not observed */
	mcp_server_set *lender; /* shared set from which parts are borrowed; NULL: none */
	/* For failover, from its first use. */
	mcp_outage_state *outages; /* NULL in a borrowing set */
	/* stores that wrap the stores above; the second half waits for late writes */
	mcp_store **marked;
	mcp_store *marked_store;  /* cluster of the first half */
	mcp_store *waiting_store; /* cluster of the second half */
	mcp_store *failover_store;
	uint64_t failover_generation; /* generation of the connections when these stores were built */
};

/* Free the set and its stores, but not connections, ring and outage state. */
static void destroy(mcp_server_set *set) {
	if (set->count > 1 && set->store != NULL) {
		mcp_store_free(set->store);
	}
	if (set->marked != NULL) {
		mcp_store_free(set->failover_store);
		mcp_store_free(set->waiting_store);
		mcp_store_free(set->marked_store);
		for (size_t i = 0; i < 2 * set->count; i++) {
			mcp_store_free(set->marked[i]);
		}
		pefree(set->marked, 1);
	}
	if (set->observed != NULL) {
		for (size_t i = 0; i < set->count; i++) {
			mcp_store_free(set->observed[i]);
		}
		pefree(set->observed, 1);
	}
	if (set->lender == NULL) {
		pefree(set->connections, 1);
		pefree(set->servers, 1);
	}
	pefree(set, 1);
}

static void destroy_entry(zval *entry) {
	destroy(Z_PTR_P(entry));
}

/* Release connections, ring and outage state before the set is destroyed. Not for a borrowing set. */
static void let_go(mcp_server_set *set) {
	for (size_t i = 0; i < set->count; i++) {
		php_mcp_connections_free(set->connections[i]);
	}
	if (set->ring != NULL) {
		php_mcp_idle_table_let_go(&MCP_G(server_sets).rings, set->ring, false);
	}
	if (set->outages != NULL) {
		php_mcp_idle_table_let_go(&MCP_G(server_sets).outages, set->outages,
			set->outages->known->outages > 0);
	}
}

/* A number that changes whenever stores are replaced, even because of a fork. */
static inline uint64_t generation_now(void) {
	if (UNEXPECTED(php_mcp_process_id() != MCP_G(connections).pid)) {
		php_mcp_connections_notice_fork();
	}
	return MCP_G(connections).generation;
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

static zend_never_inline void assemble(mcp_server_set *set) {
	mcp_store *stores[MCP_SERVERS_MAX];
	/* Get all stores first: opening one can close another. */
	for (size_t i = 0; i < set->count; i++) {
		php_mcp_connections_note_use(set->connections[i]);
	}
	if (set->count > 1 && set->store != NULL) {
		mcp_store_free(set->store);
		set->store = NULL;
	}
	for (size_t i = 0; i < set->count; i++) {
		stores[i] = store_of(set, i);
	}
	set->store = set->count > 1 ? cluster_of(set, stores) : stores[0];
	set->generation = generation_now();
}

mcp_store *php_mcp_server_set_store(mcp_server_set *set) {
	uint64_t generation = generation_now();
	if (UNEXPECTED(set->generation != generation)) {
		assemble(set);
	}
	return set->store;
}

/* Outages known to the process, shared by all sets with this list. A forked child keeps only part of them. */
static mcp_server_health *know(mcp_server_set *set) {
	mcp_server_set *owner = set->lender != NULL ? set->lender : set;
	if (owner->outages == NULL) {
		owner->outages = share_outages(owner->ring->key, owner->count);
	}
	mcp_outage_state *outages = owner->outages;
	pid_t pid = php_mcp_process_id();
	if (UNEXPECTED(outages->pid != pid)) {
		mcp_server_health_forget(outages->known, mcp_random_u64(php_mcp_environment_get()));
		outages->pid = pid;
	}
	return outages->known;
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
	set->failover_generation = generation_now();
}

mcp_store *php_mcp_server_set_failover_store(mcp_server_set *set) {
	uint64_t generation = generation_now();
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
	php_mcp_connections_notice_fork();
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

void php_mcp_server_sets_init(mcp_server_set_table *table) {
	php_mcp_idle_table_init(&table->sets, SETS_IDLE_MAX, destroy_entry);
	php_mcp_idle_table_init(&table->rings, 0, destroy_ring);
	php_mcp_idle_table_init(&table->outages, OUTAGES_IDLE_MAX, destroy_outages);
	php_mcp_idle_table_init(&table->lists, LISTS_MAX, destroy_list);
}

void php_mcp_server_sets_destroy(mcp_server_set_table *table) {
	zend_hash_destroy(&table->sets.entries);
	zend_hash_destroy(&table->rings.entries);
	zend_hash_destroy(&table->outages.entries);
	zend_hash_destroy(&table->lists.entries);
}

static zend_string *make_key(const mcp_server_set_options *options) {
	const mcp_connection_settings *settings = &options->settings;
	const mcp_server_access *access = settings->access;
	const uint64_t numbers[] = {settings->transport, settings->connect_timeout_ms,
		settings->timeout_ms, settings->retry_after_ms, settings->user.id, settings->user.group,
		options->distribution, access != NULL};
	return php_mcp_idle_table_key(zend_string_concat3((const char *)numbers, sizeof(numbers),
		access != NULL ? (const char *)access->fingerprint : "",
		access != NULL ? sizeof(access->fingerprint) : 0, ZSTR_VAL(options->list_name),
		ZSTR_LEN(options->list_name)));
}

/* Parses the list again, because the cache of lists keeps only the list's name. */
static mcp_server_set *create_set(const mcp_server_set_options *options) {
	mcp_server_list list;
	zend_string *mistake = php_mcp_servers_parse(&list, &options->written);
	ZEND_ASSERT(mistake == NULL);
	(void)mistake;
	size_t count = list.count;
	mcp_server_set *set = pecalloc(1, sizeof(*set), 1);
	set->count = count;
	set->is_shared = options->is_shared;
	MCP_G(connections).longest_list = MAX(MCP_G(connections).longest_list, count);
	set->servers = safe_pemalloc(count, sizeof(mcp_server), 0, 1);
	memcpy(set->servers, list.servers, count * sizeof(mcp_server));
	set->connections = safe_pemalloc(count, sizeof(mcp_kept_connection *), 0, 1);
	if (count > 1) {
		set->ring = share_ring(options, &list);
	}
	php_mcp_servers_free(&list);
	for (size_t i = 0; i < count; i++) {
		set->connections[i] =
			php_mcp_connections_get(&set->servers[i], &options->settings, options->is_shared);
	}
	return set;
}

mcp_server_set *php_mcp_server_sets_get(const mcp_server_set_options *options) {
	if (!options->is_shared) {
		return create_set(options);
	}
	mcp_idle_table *sets = &MCP_G(server_sets).sets;
	zend_string *key = make_key(options);
	mcp_server_set *set = php_mcp_idle_table_share(sets, key);
	if (set == NULL) {
		set = create_set(options);
		php_mcp_idle_table_add(sets, key, set);
	}
	zend_string_release(key);
	return set;
}

static void give_back(mcp_server_set *shared) {
	HashTable *sets = &MCP_G(server_sets).sets.entries;
	zend_string *oldest = php_mcp_idle_table_release(&MCP_G(server_sets).sets, shared, false);
	if (oldest != NULL) {
		let_go(zend_hash_find_ptr(sets, oldest));
		zend_hash_del(sets, oldest);
	}
}

void php_mcp_server_sets_free(mcp_server_set *set) {
	if (set->is_shared) {
		give_back(set);
		return;
	}
	mcp_server_set *lender = set->lender;
	if (lender == NULL) {
		let_go(set);
	}
	destroy(set);
	if (lender != NULL) {
		give_back(lender);
	}
}

mcp_server_set *php_mcp_server_sets_observe(mcp_server_set *set, mcp_store_observer observer,
	void *context) {
	if (set->is_shared) {
		mcp_server_set *lender = set;
		set = pecalloc(1, sizeof(*set), 1);
		set->count = lender->count;
		set->servers = lender->servers;
		set->connections = lender->connections;
		set->ring = lender->ring;
		set->lender = lender;
	}
	mcp_store **observed = safe_pemalloc(set->count, sizeof(mcp_store *), 0, 1);
	for (size_t i = 0; i < set->count; i++) {
		observed[i] = require_memory(mcp_error_observer_create(observer, context, i));
	}
	set->observed = observed;
	set->generation = 0;
	set->failover_generation = 0;
	return set;
}
