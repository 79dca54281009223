/* Judges why a server does not answer as it should. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_FAILURE_JUDGING_H
#define MCP_PHP_FAILURE_JUDGING_H

#include "server_facts.h"

/* Adds a finding about a server that failed. */
void php_mcp_failure_judging_add(zval *list, const mcp_server_facts *facts);

/* Adds one if everybody of the host may write to a server's socket. */
void php_mcp_failure_judging_look_at_socket(zval *list, const mcp_server *server);

#endif
