/* Counts who uses a ring: the last one frees it. */
/* SPDX-License-Identifier: MIT */
#include "server_rings.h"

#include "../../../store/cluster/router_ketama.h"
#include "../../../store/cluster/router_modulo.h"

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

static void destroy_entry(zval *entry) {
	mcp_server_ring *ring = Z_PTR_P(entry);
	mcp_router_free(ring->router);
	pefree(ring, 1);
}

void php_mcp_server_rings_init(HashTable *rings) {
	zend_hash_init(rings, 8, NULL, destroy_entry, 1);
}

/* Makes a router of what the ring hashes: for a memory:// server its whole address, so that a test's names
 * cannot meet a real server's. */
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

static mcp_server_ring *create(mcp_bytes key, mcp_distribution distribution,
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

mcp_server_ring *php_mcp_server_rings_share(HashTable *rings, mcp_bytes key,
	mcp_distribution distribution, const mcp_server_list *list) {
	mcp_server_ring *ring = zend_hash_str_find_ptr(rings, key.data, key.length);
	if (ring == NULL) {
		ring = create(key, distribution, list);
		zend_hash_str_add_new_ptr(rings, key.data, key.length, ring);
	}
	ring->users++;
	return ring;
}

void php_mcp_server_rings_let_go(HashTable *rings, mcp_server_ring *ring) {
	if (--ring->users == 0) {
		zend_hash_str_del(rings, ring->key, ring->key_length);
	}
}
