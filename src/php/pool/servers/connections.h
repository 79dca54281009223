/* Keeps this thread's connections, shared by all pools: one per address, transport, socket settings, password, TLS
 * options and user. A connection opens at its first use. memory:// servers are kept until the thread ends. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CONNECTIONS_H
#define MCP_PHP_CONNECTIONS_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "../../../store/wire/late_writes.h"
#include "../../../store/memory/store_memory.h"
#include "../../host/process.h"
#include "server_access.h"

/* The transports of this build. No other code checks whether libmemcached is available. */

/* MCP_DIRECT_BY_DEFAULT is for tests of the other transport (bin/test --transport direct). */
#if defined(HAVE_MCPATTERNS_LIBMEMCACHED) && !defined(MCP_DIRECT_BY_DEFAULT)
#define MCP_DEFAULT_TRANSPORT "libmemcached"
#else
#define MCP_DEFAULT_TRANSPORT "direct"
#endif

/* Find a transport by its name in settings; empty is the default. Returns false if the name is unknown. */
bool php_mcp_connections_find_transport(const char *name, mcp_transport *transport);
bool php_mcp_connections_have_transport(mcp_transport transport);
/* Version of libmemcached, for `php --ri`. */
const char *php_mcp_connections_libmemcached_version(void);
/* True if libmemcached, if available, never returns a wrong value after a timeout. */
bool php_mcp_connections_are_safe(void);

typedef struct mcp_kept_connection mcp_kept_connection;

typedef struct mcp_connection_table {
	HashTable shared; /* key -> mcp_kept_connection, persistent */
	/* list of shared and owned connections, which a forked child disowns */
	mcp_kept_connection *first;
	pid_t pid; /* owner of the connections */
	/* incremented when a store is destroyed; older pointers are then invalid */
	uint64_t generation;
	uint64_t clock;           /* counts uses */
	size_t longest_list;      /* length of the longest server list */
	size_t tls_count;         /* number of TLS connections, open or not */
	mcp_memory_budget memory; /* budget of all memory:// servers */
	mcp_late_writes late;     /* late writes of all abandoned connections */
} mcp_connection_table;

/* Maximum number of open connections: MCP_CONNECTIONS_MAX, or the length of the longest server list plus
 * MCP_CONNECTIONS_SPARE, if that is more. Beyond it, the least recently used connection is closed. */
#define MCP_CONNECTIONS_MAX 128
#define MCP_CONNECTIONS_SPARE 28

void php_mcp_connections_init(mcp_connection_table *table);
/* Close all connections. In a forked child, disown them. */
void php_mcp_connections_destroy(mcp_connection_table *table);
/* At request end, close the connections that were set aside and whose replies have arrived. */
void php_mcp_connections_end_request(void);

/* In a forked child, disown the inherited connections. */
void php_mcp_connections_notice_fork(void);

/* Get a connection, which the caller frees. If `is_shared`, equal servers and settings use the same connection, which
 * is closed after its last release. A memory:// server is always shared and identified by its name. It is kept, because
 * it contains data. */
mcp_kept_connection *php_mcp_connections_get(const mcp_server *server,
	const mcp_connection_settings *settings, bool is_shared);
void php_mcp_connections_free(mcp_kept_connection *connection);

/* Returns the connection's store, created at first use. Valid until the table's `generation` changes. Can close the
 * least recently used connection. */
mcp_store *php_mcp_connections_store(mcp_kept_connection *connection);
/* Record that the connection will be used. */
void php_mcp_connections_note_use(mcp_kept_connection *connection);
/* Close the connection. It reopens at its next use. A memory:// server keeps its data. */
void php_mcp_connections_close(mcp_kept_connection *connection);
/* Close all TLS connections after a fatal error that one of them might have caused. Their servers are tried again. */
void php_mcp_connections_close_tls(void);

#endif
