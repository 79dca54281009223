/* The connections of this thread: one for each address, transport, socket settings, password, options of TLS and user, opened at first use and kept
 * while a set of servers has it, so that all pools share one connection per server. A memory:// server is kept as one,
 * too, until the thread ends. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CONNECTIONS_H
#define MCP_PHP_CONNECTIONS_H

#include "../../../store/wire/direct/channel.h"
#include "../../../store/wire/late_writes.h"
#include "../../../store/store.h"
#include "../../../store/memory/store_memory.h"
#include "../../objects/enums.h"
#include "../../host/process.h"
#include "../../host/user.h"
#include "server_access.h"
#include "parsing/server.h"

typedef struct mcp_kept_connection mcp_kept_connection;

typedef struct mcp_connection_table {
	HashTable shared;           /* key -> mcp_kept_connection, persistent */
	mcp_kept_connection *first; /* all of them, shared and owned: what a forked child disowns */
	pid_t pid;                  /* the process that the connections belong to */
	uint64_t generation;        /* one more whenever a store went: pointers from before are dead */
	uint64_t clock;             /* counts uses */
	size_t longest_list;        /* of servers that are used together */
	size_t tls_count;           /* of them that are to servers by TLS, open or not */
	mcp_memory_budget memory;   /* of all memory:// servers together */
	mcp_late_writes late;       /* of all connections that were given up */
} mcp_connection_table;

/* So many connections are kept, and so many more than the longest list of servers has, so that none of these closes
 * another; beyond it the one that has not been used for longest is closed. */
#define MCP_CONNECTIONS_MAX 128
#define MCP_CONNECTIONS_SPARE 28

typedef struct mcp_connection_settings {
	mcp_transport transport;
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint32_t retry_after_ms;
	mcp_user user; /* who opens it, of its request: another one may not open the same socket */
	mcp_server_access *access; /* borrowed; NULL: none */
} mcp_connection_settings;

void php_mcp_connections_init(mcp_connection_table *table);
/* Registers at start-up what carries nothing to a discovery endpoint that has not told its servers. */
void php_mcp_connections_register_unknown(mcp_channel (*create_carrier)(const mcp_server
		*endpoint));
/* Closes everything (in a forked child: disowns everything). */
void php_mcp_connections_destroy(mcp_connection_table *table);
/* Closes, when the request has ended, what was set aside and has its answer. */
void php_mcp_connections_end_request(void);

/* Looks whether this is still the process that connected, disowns all inherited connections when it
 * is not, and answers a number that changes whenever stores were replaced. */
uint64_t php_mcp_connections_generation(void);

/* Shares connections: equal servers with equal settings are one connection, which ends when all who share it have
 * freed it. memory:// servers are told apart by name alone and do not end, because they are data and not a
 * connection. */
mcp_kept_connection *php_mcp_connections_share(const mcp_server *server,
	const mcp_connection_settings *settings);
/* Makes one that the caller owns and frees; memory:// servers are shared all the same. */
mcp_kept_connection *php_mcp_connections_own(const mcp_server *server,
	const mcp_connection_settings *settings);
void php_mcp_connections_free(mcp_kept_connection *connection);

/* Expects so many to be used together. */
void php_mcp_connections_expect(size_t count);
/* Returns the store over it, made at first use. Valid while php_mcp_connections_generation returns the same.
 * May close another connection, which was used longer ago than as many others as are kept. */
mcp_store *php_mcp_connections_store(mcp_kept_connection *connection);
/* Notes that it is about to be used. */
void php_mcp_connections_note_use(mcp_kept_connection *connection);
/* Closes it; it opens again at its next use. A memory:// server keeps what it holds. */
void php_mcp_connections_close(mcp_kept_connection *connection);
/* Closes all that are by TLS, after a fatal error that may have come out of one; a server that it made fail is asked again. */
void php_mcp_connections_close_tls(void);

#endif
