/* A handle of libmemcached that is filled with servers and only ever asked for a hash: it opens no
 * connection and keeps none. */
/* SPDX-License-Identifier: MIT */
#include "router_libmemcached.h"

#include <libmemcached/memcached.h>
#include <stdlib.h>

typedef struct ring {
	mcp_router router;
	memcached_st *handle;
} ring;

static ring *of(mcp_router *router) {
	return (ring *)router;
}

/* Picks by memcached_generate_hash(), which takes a constant handle: it reads the ring and changes nothing. */
static size_t pick(const mcp_router *router, mcp_bytes route) {
	return memcached_generate_hash(((const ring *)router)->handle, route.data, route.length);
}

static void free_router(mcp_router *router) {
	memcached_free(of(router)->handle);
	free(router);
}

static const mcp_router_operations operations = {
	.pick = pick,
	.free = free_router,
};

static bool fill(ring *self, const mcp_router_server *servers, size_t count) {
	memcached_server_list_st list = NULL;
	memcached_return_t code = MEMCACHED_SUCCESS;
	for (size_t i = 0; i < count && code == MEMCACHED_SUCCESS; i++) {
		list = memcached_server_list_append_with_weight(list, servers[i].host, servers[i].port,
			servers[i].weight, &code);
	}
	/* One push: the ring is computed with each, and a hundred of them take 0.2 s. */
	if (code == MEMCACHED_SUCCESS) {
		code = memcached_server_push(self->handle, list);
	}
	memcached_server_list_free(list);
	return code == MEMCACHED_SUCCESS;
}

/* Distributes; nothing may be set after KETAMA_WEIGHTED: it chooses MD5 for the keys too. */
static bool distribute(ring *self, mcp_distribution distribution) {
	if (distribution == MCP_DISTRIBUTION_KETAMA) {
		return memcached_behavior_set(self->handle, MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED, 1) ==
			MEMCACHED_SUCCESS;
	}
	return distribution == MCP_DISTRIBUTION_ONE_AT_A_TIME || /* its default */
		(memcached_behavior_set(self->handle, MEMCACHED_BEHAVIOR_DISTRIBUTION,
			 MEMCACHED_DISTRIBUTION_MODULA) == MEMCACHED_SUCCESS &&
			memcached_behavior_set(self->handle, MEMCACHED_BEHAVIOR_HASH, MEMCACHED_HASH_CRC) ==
				MEMCACHED_SUCCESS);
}

mcp_router *mcp_router_libmemcached_create(const mcp_router_server *servers, size_t count,
	mcp_distribution distribution) {
	bool is_ring = distribution == MCP_DISTRIBUTION_KETAMA;
	size_t max = is_ring ? MCP_ROUTER_LIBMEMCACHED_RING_MAX : MCP_SERVERS_MAX;
	if (count == 0 || count > max) {
		return NULL;
	}
	ring *self = calloc(1, sizeof(*self));
	if (self == NULL) {
		return NULL;
	}
	self->router.operations = &operations;
	self->handle = memcached_create(NULL);
	if (self->handle == NULL || !distribute(self, distribution) || !fill(self, servers, count)) {
		free_router(&self->router);
		return NULL;
	}
	return &self->router;
}
