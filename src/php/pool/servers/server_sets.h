/* Keeps server sets per thread, one for each server list and options. Unused sets are kept for a while, because a
 * hash ring is expensive to build. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_SERVERS_SERVER_SETS_H
#define MCP_PHP_POOL_SERVERS_SERVER_SETS_H

#include "../../../store/cluster/router.h"
#include "../../../store/wrapped/error_observer.h"
#include "idle_table.h"
#include "parsing/server.h"
#include "php.h"
#include "server_access.h"

typedef struct mcp_server_set_table {
	mcp_idle_table sets, rings, outages, lists;
} mcp_server_set_table;

/* Features that a list requires of the transport. */
typedef struct mcp_server_list_needs {
	bool tls, secret;
	bool discovery; /* its one server is a discovery endpoint */
} mcp_server_list_needs;

/* Get the name of a distribution in settings. The next function finds a distribution by its name. It returns false if
 * the name is unknown. */
const char *php_mcp_server_sets_distribution_name(mcp_distribution distribution);
bool php_mcp_server_sets_find_distribution(const char *name, mcp_distribution *distribution);

/* A server list as one store. */
typedef struct mcp_server_set mcp_server_set;

/* Returns all servers as one store; the next function returns the store of one server. Valid while the generation of
 * the connections is the same. */
mcp_store *php_mcp_server_set_store(mcp_server_set *set);
mcp_store *php_mcp_server_set_server_store(mcp_server_set *set, size_t index);
/* Returns all servers as one store with failover, with the same validity. Uses the outages known to this process. A
 * set of one server returns its plain store. */
mcp_store *php_mcp_server_set_failover_store(mcp_server_set *set);
/* Like php_mcp_server_set_failover_store(), without failover: data from before a server's outage is suspect. */
mcp_store *php_mcp_server_set_marked_store(mcp_server_set *set);
/* True if this process has seen an outage through these two stores of any set with this list. */
bool php_mcp_server_set_saw_outage(mcp_server_set *set);
size_t php_mcp_server_set_count(const mcp_server_set *set);
const mcp_server *php_mcp_server_set_server(const mcp_server_set *set, size_t index);
void php_mcp_server_set_close(mcp_server_set *set);

typedef struct mcp_server_set_options {
	mcp_written_servers written;  /* validated servers */
	const zend_string *list_name; /* name from php_mcp_server_sets_judge */
	mcp_distribution distribution;
	mcp_connection_settings settings;
	bool is_shared; /* the thread shares the set; otherwise it has its own connections */
} mcp_server_set_options;

void php_mcp_server_sets_init(mcp_server_set_table *table);
/* Does not close connections, which belong to a separate table that must be destroyed later. */
void php_mcp_server_sets_destroy(mcp_server_set_table *table);

/* Validate a list and get its name, which is equal for all texts with the same servers and weights in the same order.
 * Returns NULL and sets *name, which the caller releases, or returns the mistake of php_mcp_servers_parse(). Caches
 * valid texts, which recur in each request. The name contains passwords. */
zend_string *php_mcp_server_sets_judge(const mcp_written_servers *written, zend_string **name,
	mcp_server_list_needs *needs);

/* Get a set. Equal options share a set, which is kept as long as it is used, and then until many other sets have been
 * released. */
mcp_server_set *php_mcp_server_sets_get(const mcp_server_set_options *options);
/* Observe each failure of the set's servers, identified by their index. Returns the set itself if the caller owns it.
 * For a shared set, returns a new set over its connections, which the caller then owns. Call this once per set. */
mcp_server_set *php_mcp_server_sets_observe(mcp_server_set *set, mcp_store_observer observer,
	void *context);
/* Release a shared set. Free an owned set with its connections. */
void php_mcp_server_sets_free(mcp_server_set *set);

#endif
