/* Asks a discovery endpoint as a Pool's servers are asked: with its password, and by TLS where the endpoint has it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_DISCOVERY_ASKING_H
#define MCP_PHP_DISCOVERY_ASKING_H

#include "../../../core/discovery/cluster.h"
#include "../../../store/store.h"
#include "discovery.h"

/* Answers as mcp_wire_direct_discover does. */
mcp_status php_mcp_discovery_asking_ask(const mcp_server *endpoint,
	const mcp_discovery_terms *terms, mcp_cluster *cluster, mcp_reason *reason);

#endif
