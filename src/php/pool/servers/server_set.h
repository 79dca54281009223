/* A list of servers as one store: its connections, where each key goes, and the stores over all of them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_SET_H
#define MCP_PHP_SERVER_SET_H

#include "../../../store/cluster/router.h"
#include "../../../store/wrapped/error_observer.h"
#include "connections.h"
#include "outage_state.h"
#include "server_rings.h"

typedef struct mcp_server_set mcp_server_set;

/* malloc'ed. server_sets.c makes it; to all others its fields are closed. */
struct mcp_server_set {
	size_t count;
	mcp_server *servers;
	mcp_kept_connection **connections;
	mcp_server_ring *ring; /* NULL for one server */
	mcp_store *store;      /* the connection's own, or a cluster that belongs to the set */
	uint64_t generation;   /* of the connections, when `store` was put together; 0: never */
	bool is_shared;
	uint32_t users;      /* Pools that have a shared set */
	uint64_t given_back; /* by the table's clock, when the last of them was done with it */
	/* An observed set. Its observed stores stand before those of the connections; servers, connections and ring may be
	 * those of a shared set, of which it is a user then. */
	mcp_store **observed;   /* NULL: it is not observed */
	mcp_server_set *lender; /* NULL: what it has is its own */
	/* For failover, from its first use on. */
	mcp_outage_state *knowledge; /* NULL in a set that borrows */
	mcp_store **
		marked; /* before the stores above; behind them those of failover, which wait for late writes */
	mcp_store *marked_store;  /* a cluster of the first half */
	mcp_store *waiting_store; /* a cluster of the second */
	mcp_store *failover_store;
	uint64_t failover_generation; /* as `generation` */
};

/* Returns the set's servers as one store, and one of them. Valid while php_mcp_connections_generation returns
 * the same. */
mcp_store *php_mcp_server_set_store(mcp_server_set *set);
mcp_store *php_mcp_server_set_server_store(mcp_server_set *set, size_t index);
/* Returns the set's servers as one store with failover, under the same rule; what it knows of them is this
 * process's. A set of one server has none to go to: its plain store. */
mcp_store *php_mcp_server_set_failover_store(mcp_server_set *set);
/* Returns them without going elsewhere: what a server that was away held before is suspect. */
mcp_store *php_mcp_server_set_marked_store(mcp_server_set *set);
/* Says whether this process has seen one of the servers go away, by way of these two, of whatever set of the list. */
bool php_mcp_server_set_saw_outage(mcp_server_set *set);
size_t php_mcp_server_set_count(const mcp_server_set *set);
const mcp_server *php_mcp_server_set_server(const mcp_server_set *set, size_t index);
void php_mcp_server_set_close(mcp_server_set *set);

/* Gives a set of its own, or one that borrows, an observer: see php_mcp_server_sets_observe. */
void php_mcp_server_set_observe(mcp_server_set *set, mcp_store_observer observer, void *context);

/* Lets go of connections, ring and knowledge, before it is destroyed. For a set that borrows nothing. */
void php_mcp_server_set_let_go(mcp_server_set *set);
/* Frees the set with its stores, and touches neither connections nor ring nor knowledge. */
void php_mcp_server_set_destroy(mcp_server_set *set);

#endif
