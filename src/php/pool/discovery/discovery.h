/* The server list of a discovery endpoint. One process of the host requests it once a minute and shares it in shared
 * memory; without that, each process requests its own. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_DISCOVERY_DISCOVERY_H
#define MCP_PHP_POOL_DISCOVERY_DISCOVERY_H

#include "../../../core/discovery/registry.h"
#include "../../../patterns/discovery/discovered.h"
#include "../../../store/store.h"
#include "../servers/parsing/server.h"
#include "../servers/server_access.h"

/* Private to the thread. malloc'ed. */
typedef struct mcp_discovery {
	mcp_server endpoint;
	uint64_t name[2]; /* of all who share it */
	mcp_discovered known;
	mcp_discovery_registry_record *own; /* NULL if the record is in shared memory */
	zend_string *list; /* persistent, as a user writes servers; NULL: never received */
	uint32_t written;  /* the change of `known` at which it was written */
	uint32_t users;
	uint64_t given_back; /* by the table's clock */
	struct mcp_discovery *next;
} mcp_discovery;

typedef struct mcp_discovery_table {
	mcp_discovery *first;
	size_t idle;
	uint64_t clock; /* counts releases */
} mcp_discovery_table;

/* Options of a Pool's discovery requests. */
typedef struct mcp_discovery_terms {
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	const mcp_server_access *access; /* borrowed; NULL: none */
} mcp_discovery_terms;

/* Find the host's discovery registry at start-up, after the shared memory. The next function forgets it. */
void php_mcp_discoveries_start(void);
void php_mcp_discoveries_stop(void);

void php_mcp_discoveries_destroy(mcp_discovery_table *table);

/* Share the discovery of this endpoint and name, which no user can choose; across processes if `is_shareable`. Sends
 * no request. The caller must release it. */
mcp_discovery *php_mcp_discoveries_share(const mcp_server *endpoint, const uint64_t name[2],
	bool is_shareable);
void php_mcp_discoveries_let_go(mcp_discovery *discovery);
/* Returns why this thread has no list from an endpoint, as words after "the server ". Valid until a discovery is
 * released. NULL if it has not asked. */
const char *php_mcp_discoveries_trouble(const char *address, bool is_tls);

/* True if a newer list may be known, or a request is due. */
bool php_mcp_discovery_is_outdated(const mcp_discovery *discovery);
/* Calls mcp_discovered_renew(). */
void php_mcp_discovery_renew(mcp_discovery *discovery, const mcp_discovery_terms *terms);

/* Describe what is wrong with the last reply or the current list, in words after "the server ". Returns false if
 * nothing is wrong. */
bool php_mcp_discovery_report_trouble(const mcp_discovery *discovery, mcp_reason *words);

/* Add the state as 'discovery' to an array. Sends no request. */
void php_mcp_discovery_report_add(zval *report, const mcp_discovery *discovery);

#endif
