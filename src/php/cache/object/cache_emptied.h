/* Which of the keys that this process keeps something of, a look or a claim, its own Fiber has emptied with many others:
 * by clear() all of a namespace, by flush() all that is on the servers. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_EMPTIED_H
#define MCP_PHP_CACHE_EMPTIED_H

#include "cache_object.h"

/* Where a key is that something is kept of, and the Fiber that it is kept for. */
typedef struct mcp_kept_place {
	uint64_t servers;       /* hash of all of its Pool's */
	uint64_t server;        /* its own one, by the next function */
	uint64_t key_namespace; /* by the one after */
	const void *fiber;      /* by php_mcp_fiber_now */
} mcp_kept_place;

uint64_t php_mcp_cache_emptied_server(const char *address);
/* Hashes the Pool's and the Cache's prefix. */
uint64_t php_mcp_cache_emptied_namespace(const mcp_cache_object *object);
/* Makes it for a key of this object, which this Fiber looked at or was elected for. */
mcp_kept_place php_mcp_cache_emptied_place(const mcp_cache_object *object, const mcp_key *key);

/* What this Fiber has left of a tag that it has invalidated on a server. */
typedef struct mcp_tag_left {
	uint64_t server; /* as of a place */
	mcp_tag tag;     /* with the number that is there now; 0: it is not there */
} mcp_tag_left;

/* The keys that this Fiber has emptied. */
typedef struct mcp_emptied {
	mcp_pool *pool;
	uint64_t key_namespace;
	bool is_everything; /* on the Pool's servers; otherwise its own namespace's keys there */
} mcp_emptied;

/* Says whether it has emptied the key there, and the place is its own. */
bool php_mcp_cache_emptied_has(const mcp_emptied *emptied, const mcp_kept_place *place);

#endif
