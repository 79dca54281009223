/* The list of servers that a discovery endpoint tells: asked for once a minute by one process of this host, kept in the
 * memory that they share, or without that by each process for itself. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_DISCOVERY_DISCOVERY_H
#define MCP_PHP_POOL_DISCOVERY_DISCOVERY_H

#include "../../../core/discovery/cluster.h"
#include "../../../patterns/discovery/discovered.h"
#include "../../../store/store.h"
#include "../servers/parsing/server.h"
#include "../servers/server_access.h"

/* Whatever is read here is the thread's own. malloc'ed. */
typedef struct mcp_discovery {
	mcp_server endpoint;
	uint64_t name[2]; /* of those who share it */
	mcp_discovered known;
	mcp_discovery_registry_record *own; /* NULL if the record is the host's */
	zend_string *list; /* persistent, as a user writes servers; NULL: none was ever told */
	uint32_t written;  /* the change of `known` that it was written at */
	uint32_t users;
	uint64_t given_back; /* by the table's clock */
	struct mcp_discovery *next;
} mcp_discovery;

typedef struct mcp_discovery_table {
	mcp_discovery *first;
	size_t idle;
	uint64_t clock; /* counts what was given back */
} mcp_discovery_table;

/* The terms on which a Pool asks. */
typedef struct mcp_discovery_terms {
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	const mcp_server_access *access; /* borrowed; NULL: none */
} mcp_discovery_terms;

/* Finds the host's board when the module starts, behind the shared memory, and forgets it. */
void php_mcp_discoveries_start(void);
void php_mcp_discoveries_stop(void);

void php_mcp_discoveries_destroy(mcp_discovery_table *table);

/* Shares what is known by this endpoint to all of this name, which nobody can choose: to those of other processes if
 * `is_shareable`. Asks nobody. To be let go. */
mcp_discovery *php_mcp_discoveries_share(const mcp_server *endpoint, const uint64_t name[2],
	bool is_shareable);
void php_mcp_discoveries_let_go(mcp_discovery *discovery);
/* Returns why this thread was told no list by an endpoint, in words that follow "the server ", for as long as nothing is let
 * go; NULL if it has not asked. */
const char *php_mcp_discoveries_trouble(const char *address, bool is_tls);

/* Says whether another list may be known by now, or it is time to ask. */
bool php_mcp_discovery_is_outdated(const mcp_discovery *discovery);
/* Does as mcp_discovered_renew. */
void php_mcp_discovery_renew(mcp_discovery *discovery, const mcp_discovery_terms *terms);

/* Shows what is known by a discovery endpoint. */

/* Says what is wrong with the last answer, or with the list that holds, in words that follow "the server ". False if nothing
 * is. */
bool php_mcp_discovery_report_trouble(const mcp_discovery *discovery, mcp_reason *words);

/* Adds it as 'discovery' to an array. Asks nobody. */
void php_mcp_discovery_report_add(zval *report, const mcp_discovery *discovery);

#endif
