/* A set of one is its connection's own store; a set of many is a cluster over the connections with a router, put together
 * again whenever a connection's store was replaced. */
/* SPDX-License-Identifier: MIT */
#include "server_set.h"

#include "../../../store/cluster/store_cluster.h"
#include "../../../store/failover/store_failover.h"
#include "php_mcpatterns.h"

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

void php_mcp_server_set_destroy(mcp_server_set *set) {
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

void php_mcp_server_set_let_go(mcp_server_set *set) {
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

void php_mcp_server_set_observe(mcp_server_set *set, mcp_store_observer observer, void *context) {
	mcp_store **observed = safe_pemalloc(set->count, sizeof(mcp_store *), 0, 1);
	for (size_t i = 0; i < set->count; i++) {
		observed[i] = require_memory(mcp_error_observer_create(observer, context, i));
	}
	set->observed = observed;
	set->generation = 0;
	set->failover_generation = 0;
}

/* Returns what speaks to the server, and aims what looks at it. */
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
	/* All first: what one of them opens may close what was not used for long. */
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

/* Returns the knowledge that is the process's, with an observer or without, and common to all sets with this list. */
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
