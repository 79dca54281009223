/* The sets of a thread, one for each list of servers with equal options. Those that no Pool has any more are kept for a
 * while, because placing keys on many servers is costly to set up. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_SERVERS_SERVER_SETS_H
#define MCP_PHP_POOL_SERVERS_SERVER_SETS_H

#include "../../../store/cluster/router.h"
#include "../../../store/wrapped/error_observer.h"
#include "connections.h"
#include "outage_state.h"
#include "parsing/server.h"
#include "php.h"
#include "server_set_table.h"

/* Where each key goes on a list of servers, computed once for all sets of a thread that have the same list. */

typedef struct mcp_server_ring {
	mcp_router *router;
	uint32_t users;
	size_t key_length;
	char key[];
} mcp_server_ring;

/* The name that a setting has for a distribution. The second finds the distribution of a name; false if there is none. */
const char *php_mcp_server_rings_name(mcp_distribution distribution);
bool php_mcp_server_rings_find(const char *name, mcp_distribution *distribution);

/* A list of servers as one store: its connections, where each key goes, and the stores over all of them. */

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

typedef struct mcp_server_set_options {
	mcp_written_servers written;  /* judged before ... */
	const zend_string *list_name; /* ... by php_mcp_server_sets_judge */
	mcp_distribution distribution;
	mcp_connection_settings settings;
} mcp_server_set_options;

void php_mcp_server_sets_init(mcp_server_set_table *table);
/* Closes nothing: connections belong to their own table, which must be destroyed later. */
void php_mcp_server_sets_destroy(mcp_server_set_table *table);

/* Judges a list and names it, as php_mcp_server_lists_name does. */
zend_string *php_mcp_server_sets_judge(const mcp_written_servers *written, zend_string **name,
	mcp_server_list_needs *needs);

/* Belongs to the thread; equal options are one set. Stays as long as it is shared, and then until
 * MCP_SERVER_SETS_IDLE_MAX others were given back. */
mcp_server_set *php_mcp_server_sets_share(const mcp_server_set_options *options);
/* Makes a set with connections of its own; belongs to the caller. */
mcp_server_set *php_mcp_server_sets_own(const mcp_server_set_options *options);
/* Gives the set an observer for each failure of its servers, whose places in the list it is told: returns an
 * owned set itself, or one over the shared one's connections that belongs to the caller. Once for a set. */
mcp_server_set *php_mcp_server_sets_observe(mcp_server_set *set, mcp_store_observer observer,
	void *context);
/* Gives a shared set back; frees an owned one with its connections. */
void php_mcp_server_sets_free(mcp_server_set *set);

#endif
