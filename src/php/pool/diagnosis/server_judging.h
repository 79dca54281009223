/* Judges what servers that answer have told of themselves. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SERVER_JUDGING_H
#define MCP_PHP_SERVER_JUDGING_H

#include "server_facts.h"

/* The circumstances on this host that a server's facts are judged by. */
typedef struct mcp_server_terms {
	uint64_t answer_limit; /* bytes; 0: none */
	uint32_t timeout_ms;   /* of an answer */
	bool has_sessions;     /* PHP's own are kept on them */
	bool is_direct;        /* by our own connection, which has a use for meta commands */
} mcp_server_terms;

void php_mcp_server_judging_look(zval *list, const mcp_server_facts *facts,
	const mcp_server_terms *terms);
/* Compares all that answered with each other. */
void php_mcp_server_judging_compare(zval *list, const mcp_server_facts *facts, size_t count);

#endif
