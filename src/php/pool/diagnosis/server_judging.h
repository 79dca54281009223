/* Judges what servers that answer have told of themselves. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_DIAGNOSIS_SERVER_JUDGING_H
#define MCP_PHP_POOL_DIAGNOSIS_SERVER_JUDGING_H

#include "../../../store/store.h"
#include "../servers/parsing/server.h"

/* The facts that a server tells of itself, by its statistics and settings, and whether it takes a cas, which is tried on an item of
 * our own: for no longer than the pool's timeouts. Nothing is judged here. */

typedef enum mcp_server_number {
	MCP_FACT_UPTIME,
	MCP_FACT_TIME,
	MCP_FACT_ITEMS,
	MCP_FACT_MEMORY_USED,
	MCP_FACT_MEMORY,
	MCP_FACT_EVICTIONS,
	MCP_FACT_UNFETCHED,
	MCP_FACT_CONNECTIONS,
	MCP_FACT_CONNECTIONS_MAX,
	MCP_FACT_REJECTED,
	MCP_FACT_ITEM_SIZE, /* this one and the next by its settings */
	MCP_FACT_UDP_PORT,
	MCP_FACT_IDLE_TIMEOUT, /* seconds; as those above, and not told in the report */
	MCP_FACT_NUMBERS,
} mcp_server_number;

/* The settings that are on or off. */
typedef enum mcp_server_switch {
	MCP_FACT_GIVES_CAS,
	MCP_FACT_EVICTS,
	MCP_FACT_FLUSHES,
	MCP_FACT_WANTS_PASSWORD,
	MCP_FACT_SWITCHES,
} mcp_server_switch;

typedef enum mcp_told { MCP_UNTOLD, MCP_TOLD_NO, MCP_TOLD_YES } mcp_told;

#define MCP_FACT_VERSION_MAX 32
#define MCP_FACT_WORDS_MAX (MCP_REASON_MAX + 64)

/* Plain data. */
typedef struct mcp_server_facts {
	const mcp_server *server; /* borrowed */
	mcp_status
		status; /* MCP_OK, MCP_UNSUPPORTED: it answers and has no statistics; or what it failed of */
	char words[MCP_FACT_WORDS_MAX]; /* how it failed: "the server could not be reached: ..." */
	double seconds;                 /* of the round trip for its statistics */
	double quickest;   /* of its round trips, the shortest, which has not connected first */
	bool is_cut_short; /* it took so long that it was asked no more */
	bool has_settings;
	double
		skew; /* seconds by which its clock is ahead of this host's; of use if its time was told */
	char version[MCP_FACT_VERSION_MAX + 1]; /* "": not told. Printable */
	mcp_told knows_meta;
	mcp_told takes_cas; /* when it was tried */
	mcp_told is_on_all_addresses;
	mcp_told switches[MCP_FACT_SWITCHES];
	uint64_t numbers[MCP_FACT_NUMBERS];
} mcp_server_facts;

/* The ways in which a server is asked. */
typedef struct mcp_server_asking {
	uint64_t most_ms; /* after so long it is asked nothing more */
	bool asks_meta;   /* by a meta command, as well as by its version */
} mcp_server_asking;

void php_mcp_server_facts_ask(mcp_server_facts *facts, mcp_store *store, const mcp_server *server,
	const mcp_server_asking *asking);

/* Adds them to a report, as Pool::diagnose() has them. */
void php_mcp_server_facts_add(zval *report, const mcp_server_facts *facts);

/* The circumstances on this host that a server's facts are judged by. */
typedef struct mcp_server_terms {
	uint64_t item_size_limit; /* bytes; 0: none */
	uint32_t timeout_ms;      /* of an answer */
	bool has_sessions;        /* PHP's own are kept on them */
	bool is_direct;           /* by our own connection, which has a use for meta commands */
} mcp_server_terms;

void php_mcp_server_judging_look(zval *list, const mcp_server_facts *facts,
	const mcp_server_terms *terms);
/* Compares all that answered with each other. */
void php_mcp_server_judging_compare(zval *list, const mcp_server_facts *facts, size_t count);

/* Judges why a server does not answer as it should. */

/* Adds one if everybody of the host may write to a server's socket. */
void php_mcp_failure_judging_look_at_socket(zval *list, const mcp_server *server);

#endif
