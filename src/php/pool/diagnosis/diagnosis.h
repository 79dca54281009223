/* Diagnoses a Pool, its servers and this host. Sends requests, and briefly stores one item on each server. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_DIAGNOSIS_DIAGNOSIS_H
#define MCP_PHP_POOL_DIAGNOSIS_DIAGNOSIS_H

#include "../../../core/bytes.h"
#include "../../../store/store.h"
#include "../../value/format.h"
#include "../servers/discovery.h"

/* Diagnosed parts of a Pool. All parts are borrowed. */
typedef struct mcp_diagnosed {
	const mcp_discovery *discovery; /* NULL: static servers */
	const mcp_connection_settings *connection;
	const mcp_format *format;
	bool is_persistent;
	bool fails_over;
} mcp_diagnosed;

/* Query a server within its timeouts, and add the result to a list. */
void php_mcp_diagnosis_ask(zval *servers, const mcp_server *server, mcp_store *store,
	const mcp_connection_settings *settings);
/* Make the report: 'findings', 'servers' and 'host'. Takes over the list of servers. `pool` is NULL if the settings
 * are wrong; `mistake` is the reason. */
void php_mcp_diagnosis_make(zval *report, zval *servers, const mcp_diagnosed *pool,
	const char *mistake);

/* Collect the lines of a server's statistics. Drops lines if memory is exhausted. */
void php_mcp_diagnosis_collect(void *context, mcp_bytes name, mcp_bytes value);
/* Add these lines to an array as an array, and free them. */
void php_mcp_diagnosis_add_lines(zval *row, const char *key, mcp_buffer *lines);

#endif
