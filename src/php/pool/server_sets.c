/* Lists of servers as stores. A set of one is its connection's own store; a set of many is a cluster
 * over the connections with a router, put together again whenever a connection's store was replaced. */
/* SPDX-License-Identifier: MIT */
#include "server_sets.h"

#include "../../store/router_ketama.h"
#include "../../store/router_libmemcached.h"
#include "../../store/store_cluster.h"
#include "../../store/store_failover.h"
#include "php_mcpatterns.h"
#include "zend_smart_str.h"

/* malloc'ed. */
struct mcp_server_set {
	size_t count;
	mcp_server *servers;
	mcp_kept_connection **connections;
	mcp_router *router;  /* NULL for one server */
	mcp_store *store;    /* the connection's own, or a cluster that belongs to the set */
	uint64_t generation; /* of the connections, when `store` was put together; 0: never */
	bool is_shared;
	/* A watched set. Its stores stand before those of the connections; servers, connections and router may be
	 * those of a shared set, which lives as long as the thread. */
	mcp_store **watched;    /* NULL: it is not watched */
	mcp_server_set *lender; /* NULL: what it has is its own */
	/* For failover, from its first use on. */
	mcp_known_servers *known; /* NULL in a set that borrows */
	pid_t known_by;           /* the process that knows them */
	mcp_store **marked;       /* before the stores above */
	mcp_store *marked_store;  /* a cluster of these */
	mcp_store *failover_store;
	uint64_t failover_generation; /* as `generation` */
};

static void free_watched(mcp_server_set *set) {
	for (size_t i = 0; i < set->count; i++) {
		mcp_store_free(set->watched[i]);
	}
	pefree(set->watched, 1);
}

static void free_failover(mcp_server_set *set) {
	mcp_store_free(set->failover_store);
	mcp_store_free(set->marked_store);
	for (size_t i = 0; i < set->count; i++) {
		mcp_store_free(set->marked[i]);
	}
	pefree(set->marked, 1);
}

static void free_parts(mcp_server_set *set) {
	if (set->router != NULL) {
		mcp_router_free(set->router);
	}
	if (set->known != NULL) {
		mcp_known_servers_free(set->known);
	}
	pefree(set->connections, 1);
	pefree(set->servers, 1);
}

static void destroy(mcp_server_set *set) {
	if (set->count > 1 && set->store != NULL) {
		mcp_store_free(set->store);
	}
	if (set->marked != NULL) {
		free_failover(set);
	}
	if (set->watched != NULL) {
		free_watched(set);
	}
	if (set->lender == NULL) {
		free_parts(set);
	}
	pefree(set, 1);
}

static void destroy_entry(zval *entry) {
	destroy(Z_PTR_P(entry));
}

void mcp_server_sets_init(HashTable *sets) {
	zend_hash_init(sets, 8, NULL, destroy_entry, 1);
}

/* What the ring hashes: for a memory:// server its whole address, so that a test's names cannot meet
 * a real server's. */
static mcp_router *create_router(const mcp_server_set_options *options) {
	mcp_router_server servers[MCP_SERVERS_MAX];
	for (size_t i = 0; i < options->count; i++) {
		const mcp_server *server = &options->servers[i];
		servers[i] = (mcp_router_server){
			.host = server->kind == MCP_SERVER_MEMORY ? server->address : server->host,
			.port = server->port,
			.weight = server->weight,
		};
	}
	bool is_large_ring = options->distribution == MCP_DISTRIBUTION_KETAMA &&
		options->count > MCP_ROUTER_LIBMEMCACHED_RING_MAX;
	return is_large_ring
		? mcp_router_ketama_create(servers, options->count)
		: mcp_router_libmemcached_create(servers, options->count, options->distribution);
}

static mcp_server_set *create(const mcp_server_set_options *options) {
	mcp_server_set *set = pecalloc(1, sizeof(*set), 1);
	set->count = options->count;
	mcp_connections_expect(options->count);
	set->servers = safe_pemalloc(options->count, sizeof(mcp_server), 0, 1);
	memcpy(set->servers, options->servers, options->count * sizeof(mcp_server));
	set->connections = safe_pemalloc(options->count, sizeof(mcp_kept_connection *), 0, 1);
	if (options->count > 1) {
		set->router = create_router(options);
		if (UNEXPECTED(set->router == NULL)) {
			zend_error_noreturn(E_ERROR, "Out of memory");
		}
	}
	return set;
}

static void append_number(smart_str *key, uint32_t number) {
	smart_str_append_unsigned(key, number);
	smart_str_appendc(key, '|');
}

/* Once for each Pool that is made, in many applications in each request: by hand, as printf would take a third of all
 * that this takes. */
static zend_string *make_key(const mcp_server_set_options *options) {
	smart_str key = {0};
	append_number(&key, (uint32_t)options->distribution);
	append_number(&key, (uint32_t)options->settings.transport);
	append_number(&key, options->settings.connect_timeout_ms);
	append_number(&key, options->settings.timeout_ms);
	append_number(&key, options->settings.retry_after_ms);
	for (size_t i = 0; i < options->count; i++) {
		append_number(&key, options->servers[i].weight);
		/* A path may hold any byte but a zero. */
		smart_str_appends(&key, options->servers[i].address);
		smart_str_appendc(&key, '\0');
	}
	return smart_str_extract(&key);
}

mcp_server_set *mcp_server_sets_share(const mcp_server_set_options *options) {
	zend_string *key = make_key(options);
	mcp_server_set *set = zend_hash_find_ptr(&MCP_G(server_sets), key);
	if (set == NULL) {
		set = create(options);
		set->is_shared = true;
		for (size_t i = 0; i < set->count; i++) {
			set->connections[i] = mcp_connections_share(&set->servers[i], &options->settings);
		}
		zend_hash_str_add_new_ptr(&MCP_G(server_sets), ZSTR_VAL(key), ZSTR_LEN(key), set);
	}
	zend_string_release(key);
	return set;
}

mcp_server_set *mcp_server_sets_own(const mcp_server_set_options *options) {
	mcp_server_set *set = create(options);
	for (size_t i = 0; i < set->count; i++) {
		set->connections[i] = mcp_connections_own(&set->servers[i], &options->settings);
	}
	return set;
}

void mcp_server_sets_free(mcp_server_set *set) {
	if (set->is_shared) {
		return;
	}
	for (size_t i = 0; i < set->count; i++) {
		mcp_connections_free(set->connections[i]);
	}
	destroy(set);
}

static mcp_server_set *borrow(mcp_server_set *shared) {
	mcp_server_set *set = pecalloc(1, sizeof(*set), 1);
	set->count = shared->count;
	set->servers = shared->servers;
	set->connections = shared->connections;
	set->router = shared->router;
	set->lender = shared;
	return set;
}

mcp_server_set *mcp_server_sets_watch(mcp_server_set *set, mcp_store_witness witness,
	void *context) {
	if (set->is_shared) {
		set = borrow(set);
	}
	mcp_store **watched = safe_pemalloc(set->count, sizeof(mcp_store *), 0, 1);
	for (size_t i = 0; i < set->count; i++) {
		watched[i] = mcp_store_watched_create(witness, context, i);
		if (UNEXPECTED(watched[i] == NULL)) {
			zend_error_noreturn(E_ERROR, "Out of memory");
		}
	}
	set->watched = watched;
	set->generation = 0;
	set->failover_generation = 0;
	return set;
}

/* What speaks to the server, and who looks at it. */
static mcp_store *store_of(const mcp_server_set *set, size_t index) {
	mcp_store *store = mcp_connections_store(set->connections[index]);
	if (EXPECTED(set->watched == NULL)) {
		return store;
	}
	mcp_store_watched_aim(set->watched[index], store);
	return set->watched[index];
}

static size_t pick(void *router, mcp_bytes route) {
	return mcp_router_pick(router, route);
}

static mcp_store *create_cluster(mcp_server_set *set) {
	mcp_store *stores[MCP_SERVERS_MAX];
	/* All first: what one of them opens may close what was not used for long. */
	for (size_t i = 0; i < set->count; i++) {
		mcp_connections_note_use(set->connections[i]);
	}
	for (size_t i = 0; i < set->count; i++) {
		stores[i] = store_of(set, i);
	}
	mcp_store *cluster = mcp_store_cluster_create(stores, set->count, pick, set->router);
	if (UNEXPECTED(cluster == NULL)) {
		zend_error_noreturn(E_ERROR, "Out of memory");
	}
	return cluster;
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
	set->generation = mcp_connections_generation();
}

mcp_store *mcp_server_sets_store(mcp_server_set *set) {
	uint64_t generation = mcp_connections_generation();
	if (UNEXPECTED(set->generation != generation)) {
		assemble(set);
	}
	return set->store;
}

static void *require_memory(void *allocated) {
	if (UNEXPECTED(allocated == NULL)) {
		zend_error_noreturn(E_ERROR, "Out of memory");
	}
	return allocated;
}

/* Of the process, whoever watches. The child of a fork comes to all servers anew. */
static mcp_known_servers *know(mcp_server_set *set) {
	mcp_server_set *owner = set->lender != NULL ? set->lender : set;
	pid_t pid = MCP_G(connections).pid;
	if (owner->known == NULL) {
		uint64_t number = mcp_random_u64(mcp_environment_get());
		owner->known = require_memory(mcp_known_servers_create(owner->count, number));
	} else if (owner->known_by != pid) {
		mcp_known_servers_forget(owner->known, mcp_random_u64(mcp_environment_get()));
	}
	owner->known_by = pid;
	return owner->known;
}

bool mcp_server_sets_saw_outage(const mcp_server_set *set) {
	const mcp_server_set *owner = set->lender != NULL ? set->lender : set;
	mcp_connections_generation(); /* notices a fork */
	return owner->known != NULL && owner->known_by == MCP_G(connections).pid &&
		owner->known->outages > 0;
}

static void mark_servers(mcp_server_set *set, mcp_known_servers *known) {
	set->marked = safe_pemalloc(set->count, sizeof(mcp_store *), 0, 1);
	for (size_t i = 0; i < set->count; i++) {
		set->marked[i] = require_memory(mcp_store_marked_create(known, i));
	}
	set->marked_store =
		require_memory(mcp_store_cluster_create(set->marked, set->count, pick, set->router));
	set->failover_store = require_memory(mcp_store_failover_create(set->marked_store, known));
}

static void aim_failover(mcp_server_set *set) {
	mcp_known_servers *known = know(set);
	if (set->marked == NULL) {
		mark_servers(set, known);
	}
	for (size_t i = 0; i < set->count; i++) {
		mcp_connections_note_use(set->connections[i]);
	}
	for (size_t i = 0; i < set->count; i++) {
		mcp_store_marked_aim(set->marked[i], store_of(set, i));
	}
	set->failover_generation = mcp_connections_generation();
}

mcp_store *mcp_server_sets_failover_store(mcp_server_set *set) {
	uint64_t generation = mcp_connections_generation();
	if (set->count == 1) {
		return mcp_server_sets_store(set);
	}
	if (UNEXPECTED(set->failover_generation != generation)) {
		aim_failover(set);
	}
	return set->failover_store;
}

mcp_store *mcp_server_sets_marked_store(mcp_server_set *set) {
	mcp_store *store = mcp_server_sets_failover_store(set);
	return set->count == 1 ? store : set->marked_store;
}

mcp_store *mcp_server_sets_server_store(mcp_server_set *set, size_t index) {
	mcp_connections_generation();
	return store_of(set, index);
}

size_t mcp_server_sets_count(const mcp_server_set *set) {
	return set->count;
}

const mcp_server *mcp_server_sets_server(const mcp_server_set *set, size_t index) {
	return &set->servers[index];
}

void mcp_server_sets_close(mcp_server_set *set) {
	for (size_t i = 0; i < set->count; i++) {
		mcp_connections_close(set->connections[i]);
	}
}
