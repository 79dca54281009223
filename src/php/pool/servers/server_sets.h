/* Keeps server sets per thread, one for each server list and options. Unused sets stay for a while, because a hash
 * ring is expensive to build. */
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

/* Key distribution of a server list, shared by the thread's sets. */

typedef struct mcp_server_ring {
	mcp_router *router;
	uint32_t users;
	size_t key_length;
	char key[];
} mcp_server_ring;

/* Get the name of a distribution in settings. The next function finds a distribution by its name, or returns false. */
const char *php_mcp_server_rings_name(mcp_distribution distribution);
bool php_mcp_server_rings_find(const char *name, mcp_distribution *distribution);

/* A server list as one store: connections, key distribution, and stores over all of them. */

typedef struct mcp_server_set mcp_server_set;

/* malloc'ed. Private to server_sets.c. */
struct mcp_server_set {
	size_t count;
	mcp_server *servers;
	mcp_kept_connection **connections;
	mcp_server_ring *ring; /* NULL for one server */
	mcp_store *store;      /* the connection's, or the set's own cluster */
	uint64_t generation;   /* generation of the connections when `store` was built; 0: never */
	bool is_shared;
	uint32_t users;      /* Pools that use a shared set */
	uint64_t given_back; /* by the table's clock, at the last release */
	/* For an observed set. Its observed stores wrap those of the connections. Servers, connections and ring may be
	 * borrowed from a shared set, which counts it as a user. */
	mcp_store **observed;   /* NULL: not observed */
	mcp_server_set *lender; /* NULL: nothing is borrowed */
	/* For failover, from its first use. */
	mcp_outage_state *knowledge; /* NULL in a borrowing set */
	mcp_store **marked;          /* wrap the stores above; the second half waits for late writes */
	mcp_store *marked_store;     /* cluster of the first half */
	mcp_store *waiting_store;    /* cluster of the second half */
	mcp_store *failover_store;
	uint64_t failover_generation; /* as `generation` */
};

/* Returns all servers as one store; the next function returns one server's. Valid while
 * php_mcp_connections_generation() returns the same number. */
mcp_store *php_mcp_server_set_store(mcp_server_set *set);
mcp_store *php_mcp_server_set_server_store(mcp_server_set *set, size_t index);
/* Returns all servers as one store with failover, with the same validity. Uses the outages known to this process. A
 * set of one server returns its plain store. */
mcp_store *php_mcp_server_set_failover_store(mcp_server_set *set);
/* Same without failover: data from before a server's outage is suspect. */
mcp_store *php_mcp_server_set_marked_store(mcp_server_set *set);
/* True if this process has seen an outage through these two stores of any set with this list. */
bool php_mcp_server_set_saw_outage(mcp_server_set *set);
size_t php_mcp_server_set_count(const mcp_server_set *set);
const mcp_server *php_mcp_server_set_server(const mcp_server_set *set, size_t index);
void php_mcp_server_set_close(mcp_server_set *set);

typedef struct mcp_server_set_options {
	mcp_written_servers written;  /* validated ... */
	const zend_string *list_name; /* ... by php_mcp_server_sets_judge */
	mcp_distribution distribution;
	mcp_connection_settings settings;
} mcp_server_set_options;

void php_mcp_server_sets_init(mcp_server_set_table *table);
/* Connections stay open: they belong to their own table, which must be destroyed later. */
void php_mcp_server_sets_destroy(mcp_server_set_table *table);

/* Validate and name a list, as php_mcp_server_lists_name() does. */
zend_string *php_mcp_server_sets_judge(const mcp_written_servers *written, zend_string **name,
	mcp_server_list_needs *needs);

/* Share a set of the thread. Equal options share one set. It stays while shared, and then until
 * MCP_SERVER_SETS_IDLE_MAX others were released. */
mcp_server_set *php_mcp_server_sets_share(const mcp_server_set_options *options);
/* Create a set with its own connections. The caller owns it. */
mcp_server_set *php_mcp_server_sets_own(const mcp_server_set_options *options);
/* Observe each failure of the set's servers, identified by their index. Returns an owned set itself, or a new set
 * over the shared set's connections, which the caller owns. Once per set. */
mcp_server_set *php_mcp_server_sets_observe(mcp_server_set *set, mcp_store_observer observer,
	void *context);
/* Release a shared set. Free an owned one with its connections. */
void php_mcp_server_sets_free(mcp_server_set *set);

#endif
