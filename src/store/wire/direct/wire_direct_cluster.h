/* Asks a discovery endpoint for its cluster's servers: by "config get cluster", and where that is not known by the key that
 * ElastiCache had before it had the command. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_CLUSTER_H
#define MCP_STORE_WIRE_DIRECT_CLUSTER_H

#include "../../../core/discovery/cluster.h"
#include "../wire.h"

/* Asks over a connection of its own, which ends with the answer: within the settings' timeouts, and for at most a
 * megabyte. MCP_OK; MCP_NOT_FOUND: the list is empty; or a failure, of which `reason` says why in words that follow
 * "the server ". */
mcp_status mcp_wire_direct_discover(const mcp_wire_settings *settings,
	const mcp_environment *environment, mcp_cluster *cluster, mcp_reason *reason);

#endif
