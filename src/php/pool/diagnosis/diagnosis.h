/* Diagnoses a Pool, its servers and this host. Sends requests, and briefly stores one item on each server. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_DIAGNOSIS_DIAGNOSIS_H
#define MCP_PHP_POOL_DIAGNOSIS_DIAGNOSIS_H

#include "../../../store/store.h"
#include "../servers/discovery.h"
#include "../servers/parsing/server.h"
#include "../servers/server_access.h"
#include "php.h"

typedef struct mcp_diagnosed_server {
	const mcp_server *server;
	mcp_store *store;
} mcp_diagnosed_server;

/* Diagnosed parts of a Pool. All borrowed. */
typedef struct mcp_diagnosed {
	const mcp_diagnosed_server *servers;
	size_t count;
	const mcp_discovery *discovery;  /* NULL: static servers */
	const mcp_server_access *access; /* NULL: none */
	const char *serializer;
	const char *compression;
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	bool is_direct;
	bool is_persistent;
	bool fails_over;
	bool is_signed;
	bool limits_classes;
} mcp_diagnosed;

/* Make the report: 'findings', 'servers' and 'host'. `pool` is NULL if the settings are wrong; `mistake` is the
 * reason. */
void php_mcp_diagnosis_make(zval *report, const mcp_diagnosed *pool, const char *mistake);

#endif
