/* The contract of placement: on which of many servers a key lives. Everything that is asked for it is in
 * memory: a router never connects. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CLUSTER_ROUTER_H
#define MCP_STORE_CLUSTER_ROUTER_H

#include "../../core/bytes.h"
#include "../../core/compiler.h"
#include "../../core/words.h"

/* The places of the last routes, so that a route that comes again, as an object's own key does with each call, is
 * hashed by a few words and not by what clients have agreed upon. */

/* As many as a page's keys, in 16 KB. */
#define MCP_ROUTE_MEMO_BITS 8
/* Longer ones are not remembered: what is known of a route fills one line of the processor's cache. */
#define MCP_ROUTE_MEMO_LENGTH_MAX 61

typedef struct mcp_route_note {
	uint16_t place;
	uint8_t length; /* 0: of none */
	char route[MCP_ROUTE_MEMO_LENGTH_MAX];
} mcp_route_note;

/* All zeroes when it is empty. Each route has one place in it, and the last one that came is there. */
typedef struct mcp_route_memo {
	mcp_route_note notes[1 << MCP_ROUTE_MEMO_BITS];
} mcp_route_memo;

/* Mixes all bytes: names differ by their middle as often as by their end. */
MCP_INLINED uint64_t mcp_route_memo_hash(mcp_bytes route) {
	const uint64_t odd = 0x9e3779b97f4a7c15; /* 2^64 by the golden ratio */
	uint64_t hash = route.length;
	if (route.length < sizeof(uint64_t)) {
		uint64_t word = 0;
		mcp_words_copy((char *)&word, route.data, route.length);
		return (hash ^ word) * odd;
	}
	const char *last = route.data + route.length - sizeof(uint64_t);
	for (const char *at = route.data; at < last; at += sizeof(uint64_t)) {
		hash = (hash ^ mcp_word(at)) * odd;
		hash ^= hash >> 32;
	}
	return (hash ^ mcp_word(last)) * odd;
}

/* Returns the route's note, or where it is to be noted. NULL: it is not remembered. */
MCP_INLINED mcp_route_note *mcp_route_memo_find(mcp_route_memo *memo, mcp_bytes route) {
	if (route.length - 1 >= MCP_ROUTE_MEMO_LENGTH_MAX) {
		return NULL;
	}
	return &memo->notes[mcp_route_memo_hash(route) >> (64 - MCP_ROUTE_MEMO_BITS)];
}

MCP_INLINED bool mcp_route_note_is_of(const mcp_route_note *note, mcp_bytes route) {
	return note->length == route.length && mcp_words_equal(note->route, route.data, route.length);
}

static inline void mcp_route_note_write(mcp_route_note *note, mcp_bytes route, size_t place) {
	note->place = (uint16_t)place;
	note->length = (uint8_t)route.length;
	memcpy(note->route, route.data, route.length);
}

typedef struct mcp_router mcp_router;

typedef enum mcp_distribution {
	MCP_DISTRIBUTION_MODULO, /* crc32 and modulo, as classic clients: (crc32 >> 16) & 0x7fff */
	MCP_DISTRIBUTION_KETAMA, /* the consistent ring, weighted when weights differ from 1 */
	MCP_DISTRIBUTION_ONE_AT_A_TIME, /* Jenkins' hash and modulo: libmemcached's own default */
} mcp_distribution;

typedef struct mcp_router_server {
	const char *host; /* as the user wrote it: it is what the ring hashes */
	uint16_t port;    /* 0: unix socket */
	uint32_t weight;  /* >= 1 */
} mcp_router_server;

#define MCP_SERVERS_MAX 1000

typedef struct mcp_router_operations {
	/* The index of the server, in the order given to create; the same one for the same route, always. */
	size_t (*pick)(const mcp_router *router, mcp_bytes route);
	void (*free)(mcp_router *router);
} mcp_router_operations;

/* Belongs to one thread: a pick writes the memo. */
struct mcp_router {
	const mcp_router_operations *operations;
	mcp_route_memo memo;
};

/* Picks anew, whatever is remembered. */
static inline size_t mcp_router_reckon(const mcp_router *router, mcp_bytes route) {
	return router->operations->pick(router, route);
}
static inline size_t mcp_router_pick(mcp_router *router, mcp_bytes route) {
	mcp_route_note *note = mcp_route_memo_find(&router->memo, route);
	if (note == NULL) {
		return mcp_router_reckon(router, route);
	}
	if (!mcp_route_note_is_of(note, route)) {
		mcp_route_note_write(note, route, mcp_router_reckon(router, route));
	}
	return note->place;
}
static inline void mcp_router_free(mcp_router *router) {
	router->operations->free(router);
}

/* The ketama ring, point for point as libmemcached computes it, and with it every client that is built on it: the same key
 * is on the same server for all of them. */

/* Makes a router for 1 to MCP_SERVERS_MAX servers; libmemcached takes a hundred at most, and above it the ring goes on as
 * below. A route that is not remembered takes an MD5 and a look at a few points; a thousand servers take 1.6 MB and some
 * ten milliseconds once. NULL if memory ran out. */
mcp_router *mcp_router_ketama_create(const mcp_router_server *servers, size_t count);

/* The placements of classic clients: half of a crc, or the one-at-a-time hash, modulo servers, whatever their weights. */

/* Makes a router by MCP_DISTRIBUTION_MODULO or MCP_DISTRIBUTION_ONE_AT_A_TIME for 1 to MCP_SERVERS_MAX servers. NULL if memory
 * ran out. */
mcp_router *mcp_router_modulo_create(mcp_distribution distribution, size_t count);

#endif
