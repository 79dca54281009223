/* The sets of a thread, one for each list of servers with equal options. Those that no Pool has any more are kept for a
 * while, because placing keys on many servers is costly to set up. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_SETS_H
#define MCP_PHP_SERVER_SETS_H

#include "server_set.h"
#include "server_set_table.h"

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
