/* Keeps this thread's connections, shared by all pools: one per address, transport, socket settings, password, TLS
 * options and user. Opened at first use. memory:// servers stay until the thread ends. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CONNECTIONS_H
#define MCP_PHP_CONNECTIONS_H

#include "../../../store/wire/direct/channel.h"
#include "../../../store/wire/late_writes.h"
#include "../../../store/store.h"
#include "../../../store/memory/store_memory.h"
#include "../../objects/enums.h"
#include "../../host/process.h"
#include "../../engine/user.h"
#include "server_access.h"
#include "parsing/server.h"

typedef struct mcp_kept_connection mcp_kept_connection;

typedef struct mcp_connection_table {
	HashTable shared;           /* key -> mcp_kept_connection, persistent */
	mcp_kept_connection *first; /* shared and owned ones: a forked child disowns them */
	pid_t pid;                  /* owner of the connections */
	uint64_t generation; /* incremented when a store is destroyed: earlier pointers are invalid */
	uint64_t clock;      /* counts uses */
	size_t longest_list; /* length of the longest server list */
	size_t tls_count;    /* number of TLS connections, open or not */
	mcp_memory_budget memory; /* of all memory:// servers */
	mcp_late_writes late;     /* of all abandoned connections */
} mcp_connection_table;

/* Connections kept in addition to the longest server list, whose servers must not close each other. Beyond that, the
 * least recently used one is closed. */
#define MCP_CONNECTIONS_MAX 128
#define MCP_CONNECTIONS_SPARE 28

typedef struct mcp_connection_settings {
	mcp_transport transport;
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	mcp_user user; /* user of the request: another user may have no access to the socket */
	mcp_server_access *access; /* borrowed; NULL: none */
} mcp_connection_settings;

void php_mcp_connections_init(mcp_connection_table *table);
/* Register at start-up the channel for endpoints that have not returned a list. */
void php_mcp_connections_register_unknown(mcp_channel (*create_carrier)(const mcp_server
		*endpoint));
/* Close all connections. In a forked child, disown them. */
void php_mcp_connections_destroy(mcp_connection_table *table);
/* At request end, close connections set aside whose replies have arrived. */
void php_mcp_connections_end_request(void);

/* Disown inherited connections after a fork. Returns a number that changes whenever stores were replaced. */
uint64_t php_mcp_connections_generation(void);

/* Share a connection: equal servers and settings share one, which is closed after its last release. memory://
 * servers are identified by name and stay, because they are data. */
mcp_kept_connection *php_mcp_connections_share(const mcp_server *server,
	const mcp_connection_settings *settings);
/* Create a connection that the caller owns and frees. memory:// servers are still shared. */
mcp_kept_connection *php_mcp_connections_own(const mcp_server *server,
	const mcp_connection_settings *settings);
void php_mcp_connections_free(mcp_kept_connection *connection);

/* Set the number of connections used together. */
void php_mcp_connections_expect(size_t count);
/* Returns its store, created at first use. Valid while php_mcp_connections_generation() returns the same number. May
 * close the least recently used connection. */
mcp_store *php_mcp_connections_store(mcp_kept_connection *connection);
/* Record that it is about to be used. */
void php_mcp_connections_note_use(mcp_kept_connection *connection);
/* Close it. It reopens at its next use. A memory:// server keeps its data. */
void php_mcp_connections_close(mcp_kept_connection *connection);
/* Close all TLS connections after a fatal error that one of them may have caused. Their servers are tried again. */
void php_mcp_connections_close_tls(void);

#endif
