/* Request of a cluster's server list from a discovery endpoint. Sends "config get cluster" and, if the endpoint does
 * not know this command, reads the key of older ElastiCache versions. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_CLUSTER_H
#define MCP_STORE_WIRE_DIRECT_CLUSTER_H

#include "../../../core/discovery/registry.h"
#include "../wire.h"

/* Requests the list over a separate connection, which is closed afterwards. Bounds: the settings' timeouts, and 1 MiB.
 * Returns MCP_OK, MCP_NOT_FOUND (empty list) or a failure, which `reason` then describes, to follow "the server ". */
mcp_status mcp_wire_direct_discover(const mcp_wire_settings *settings,
	const mcp_environment *environment, mcp_cluster *cluster, mcp_reason *reason);

#endif
