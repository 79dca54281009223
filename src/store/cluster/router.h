/* Contract of key distribution: the server of a key. A router has all data in memory and never connects to a server. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CLUSTER_ROUTER_H
#define MCP_STORE_CLUSTER_ROUTER_H

#include "../../core/bytes.h"
#include "../../core/compiler.h"

/* Cache of recent picks. An object's key repeats with each call, and comparing it is cheaper than the distribution's
 * hash. */

/* Enough for the keys of many pages, in 256 KB. The system provides only the memory pages that are used. */
#define MCP_ROUTE_MEMO_BITS 12
/* Longer routes are not cached, so that an entry fits in one CPU cache line. */
#define MCP_ROUTE_MEMO_LENGTH_MAX 61

typedef struct mcp_route_memo_entry {
	uint16_t place;
	uint8_t length; /* 0: empty entry */
	char route[MCP_ROUTE_MEMO_LENGTH_MAX];
} mcp_route_memo_entry;

/* Zero-initialized: empty. A route is in the entry at its index or in the neighboring entry. If both entries are taken,
 * a new route replaces the route at its index. */
typedef struct mcp_route_memo {
	mcp_route_memo_entry entries[1 << MCP_ROUTE_MEMO_BITS];
} mcp_route_memo;

/* Use all bytes, because names differ in the middle as often as at the end. */
MCP_INLINED uint64_t mcp_route_memo_hash(mcp_bytes route) {
	uint64_t hash = route.length;
	if (route.length < sizeof(uint64_t)) {
		uint64_t word = 0;
		mcp_words_copy((char *)&word, route.data, route.length);
		return (hash ^ word) * MCP_GOLDEN_FACTOR;
	}
	const char *last = route.data + route.length - sizeof(uint64_t);
	for (const char *at = route.data; at < last; at += sizeof(uint64_t)) {
		hash = (hash ^ mcp_word(at)) * MCP_GOLDEN_FACTOR;
		hash ^= hash >> 32;
	}
	return (hash ^ mcp_word(last)) * MCP_GOLDEN_FACTOR;
}

/* Returns the entry for the route. The entry can contain another route. NULL: the route is too long to be cached, or
 * empty, so that the subtraction wraps around. */
MCP_INLINED mcp_route_memo_entry *mcp_route_memo_find(mcp_route_memo *memo, mcp_bytes route) {
	if (route.length - 1 >= MCP_ROUTE_MEMO_LENGTH_MAX) {
		return NULL;
	}
	return &memo->entries[mcp_route_memo_hash(route) >> (64 - MCP_ROUTE_MEMO_BITS)];
}

MCP_INLINED bool mcp_route_memo_entry_is_of(const mcp_route_memo_entry *entry, mcp_bytes route) {
	return entry->length == route.length && mcp_words_equal(entry->route, route.data, route.length);
}

static inline void mcp_route_memo_entry_write(mcp_route_memo_entry *entry, mcp_bytes route,
	size_t place) {
	entry->place = (uint16_t)place;
	entry->length = (uint8_t)route.length;
	memcpy(entry->route, route.data, route.length);
}

typedef struct mcp_router mcp_router;

typedef enum mcp_distribution {
	MCP_DISTRIBUTION_MODULO, /* crc32 modulo servers, as in classic clients: (crc32 >> 16) & 0x7fff */
	MCP_DISTRIBUTION_KETAMA,        /* consistent ring, weighted if weights differ from 1 */
	MCP_DISTRIBUTION_ONE_AT_A_TIME, /* Jenkins' hash modulo servers: libmemcached's default */
} mcp_distribution;

typedef struct mcp_router_server {
	const char *host; /* host as configured, because the ring hashes it */
	uint16_t port;    /* 0: unix socket */
	uint32_t weight;  /* >= 1 */
} mcp_router_server;

#define MCP_SERVERS_MAX 1000

typedef struct mcp_router_operations {
	/* Index of the route's server, in the order of the servers that were passed to the create function. The index is
	 * always the same for a route. */
	size_t (*pick)(const mcp_router *router, mcp_bytes route);
	void (*free)(mcp_router *router);
} mcp_router_operations;

/* For one thread only, because a pick writes the memo. */
struct mcp_router {
	const mcp_router_operations *operations;
	mcp_route_memo memo;
};

/* Picks without the memo. */
static inline size_t mcp_router_reckon(const mcp_router *router, mcp_bytes route) {
	return router->operations->pick(router, route);
}
static inline size_t mcp_router_pick(mcp_router *router, mcp_bytes route) {
	mcp_route_memo_entry *entry = mcp_route_memo_find(&router->memo, route);
	if (entry == NULL) {
		return mcp_router_reckon(router, route);
	}
	if (mcp_route_memo_entry_is_of(entry, route)) {
		return entry->place;
	}
	mcp_route_memo_entry *neighbor =
		&router->memo.entries[(size_t)(entry - router->memo.entries) ^ 1];
	if (!mcp_route_memo_entry_is_of(neighbor, route)) {
		neighbor = entry->length > 0 && neighbor->length == 0 ? neighbor : entry;
		mcp_route_memo_entry_write(neighbor, route, mcp_router_reckon(router, route));
	}
	return neighbor->place;
}
static inline void mcp_router_free(mcp_router *router) {
	router->operations->free(router);
}

/* The ketama ring, with the same points as in libmemcached, so that all clients built on libmemcached agree on a
 * key's server. */

/* Creates a router for 1 to MCP_SERVERS_MAX servers; libmemcached supports at most 100. NULL: memory exhausted. A pick
 * that is not in the memo costs an MD5 and a few comparisons. 1,000 servers need 1.8 MB and about 10 ms once. */
mcp_router *mcp_router_ketama_create(const mcp_router_server *servers, size_t count);

/* Distributions of classic clients: half of a CRC-32, or one-at-a-time, modulo the number of servers, without
 * weights. */

/* Creates a router for 1 to MCP_SERVERS_MAX servers with MCP_DISTRIBUTION_MODULO or MCP_DISTRIBUTION_ONE_AT_A_TIME.
 * NULL: memory exhausted. */
mcp_router *mcp_router_modulo_create(mcp_distribution distribution, size_t count);

#endif
