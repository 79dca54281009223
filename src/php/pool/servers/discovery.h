/* The server list of a discovery endpoint. One process of the host requests the list once a minute and shares it in
 * shared memory. Without shared memory, each process requests the list itself. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_DISCOVERY_DISCOVERY_H
#define MCP_PHP_POOL_DISCOVERY_DISCOVERY_H

#include "../../../core/discovery/registry.h"
#include "../../../patterns/discovery/discovered.h"
#include "../../../store/store.h"
#include "idle_table.h"
#include "parsing/server.h"
#include "server_access.h"

/* Private to the thread. malloc'ed. */
typedef struct mcp_discovery {
	mcp_idle_entry entry;
	mcp_server endpoint;
	mcp_discovered known;
	mcp_discovery_registry_record *own; /* NULL if the record is in shared memory */
	zend_string *list; /* persistent, as a user writes servers; NULL: never received */
	uint32_t written;  /* number of the change of `known` at which `list` was written */
} mcp_discovery;

/* Find the host's discovery registry at start-up, after the shared memory. The next function forgets it. */
void php_mcp_discoveries_start(void);
void php_mcp_discoveries_stop(void);

/* The thread's table of discoveries. Destroy its entries. */
void php_mcp_discoveries_init(mcp_idle_table *table);

/* Share the discovery of this endpoint and name, across processes if `is_shareable`. No user can choose the name. Sends
 * no request. The caller must release the discovery. */
mcp_discovery *php_mcp_discoveries_share(const mcp_server *endpoint, const uint64_t name[2],
	bool is_shareable);
/* Make a channel for an endpoint that has returned no list: the channel remains closed and reports why. The owner frees
 * it before the endpoint. */
mcp_channel php_mcp_discovery_channel(const mcp_server *endpoint);

/* Calls mcp_discovered_renew(). */
void php_mcp_discovery_renew(mcp_discovery *discovery, const mcp_connection_settings *settings);

/* Describe what is wrong with the last reply or the current list, in words after "the server ". Returns false if
 * nothing is wrong. */
bool php_mcp_discovery_report_trouble(const mcp_discovery *discovery, mcp_reason *words);

/* Add the state as 'discovery' to an array. Sends no request. */
void php_mcp_discovery_report_add(zval *report, const mcp_discovery *discovery);

#endif
