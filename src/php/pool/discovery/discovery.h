/* The list of servers that a discovery endpoint tells: asked for once a minute by one process of this host, kept in the
 * memory that they share, or without that by each process for itself. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_DISCOVERY_H
#define MCP_PHP_DISCOVERY_H

#include "../../../core/discovery/board.h"
#include "../../../store/reason.h"
#include "../servers/server_access.h"
#include "../servers/parsing/server.h"

/* The endpoints that a thread keeps beyond those that a Pool has; then the one goes that was given back first. */
#define MCP_DISCOVERIES_IDLE_MAX 16

/* Whatever is read here is the thread's own. malloc'ed. */
typedef struct mcp_discovery {
	mcp_server endpoint;
	mcp_board_record *record; /* the host's, or `own` */
	mcp_board_record *own;    /* NULL if it is the host's */
	uint64_t looked_at;       /* the record's edition that was looked at last */
	/* The list that holds: */
	zend_string *list; /* persistent, as a user writes servers; NULL: none was ever told */
	uint64_t version;
	size_t servers;
	/* The last question of this process: */
	uint64_t asked_ms; /* Unix time; 0: it never asked */
	bool has_failed;
	mcp_reason reason; /* why, in words that follow "the server " */
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

/* Shares what is known by this endpoint. Asks nobody. To be let go. */
mcp_discovery *php_mcp_discoveries_share(const mcp_server *endpoint);
void php_mcp_discoveries_let_go(mcp_discovery *discovery);
/* Finds it without a share, for as long as nothing is let go; NULL: this thread does not know it. */
const mcp_discovery *php_mcp_discoveries_find(const char *address, bool is_tls);

/* Says whether another list may be known by now, or it is time to ask. */
bool php_mcp_discovery_is_outdated(const mcp_discovery *discovery);
/* Takes the list that the host knows by now, after asking where it is time to and no other process does. Where no list is
 * known yet, waits for one that another process asks for. */
void php_mcp_discovery_renew(mcp_discovery *discovery, const mcp_discovery_terms *terms);

#endif
